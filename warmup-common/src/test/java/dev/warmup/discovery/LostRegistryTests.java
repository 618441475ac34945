package dev.warmup.discovery;

import dev.warmup.protocol.Phase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services whose Eureka server comes late, goes, and comes back knowing nobody. */
class LostRegistryTests {

	private final RegistryServer registry = new RegistryServer();

	@AfterEach
	void stopRegistry() {
		this.registry.close();
	}

	@Test
	void statusSurvivesARegistryThatIsRestartedEmpty() {
		this.registry.start();
		try (RegisteredService service = RegisteredService.quick(this.registry)) {
			this.registry.awaitStatus(service.id(), "STARTING");
			this.registry.stop();
			service.runLeaves(Phase.WARM);
			this.registry.start();
			this.registry.awaitStatus(service.id(), "UP");
		}
	}

	@ParameterizedTest
	@CsvSource({ "false, STARTING", "true, UP" })
	void registryThatComesLateIsToldWhereTheGateStands(boolean open, String status) {
		try (RegisteredService service = RegisteredService.quick(this.registry)) {
			if (open) {
				service.runLeaves(Phase.WARM);
			}
			this.registry.start();
			this.registry.awaitStatus(service.id(), status);
		}
	}

}
