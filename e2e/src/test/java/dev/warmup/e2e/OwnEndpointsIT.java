package dev.warmup.e2e;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway's own endpoint, which calls a service by a load-balanced client. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OwnEndpointsIT {

	private static final String CATALOG = "--warmup.catalog=classpath:dev/warmup/e2e/adopter/gateway-requests.yml";

	private static final String READY = "READY: warmed by 1 of 1 services";

	@Test
	void itIsWarmedBeforeTheGatewayIsReady() {
		try (Stack stack = Stacks.counted("own-endpoints", 1).gateways(0).services(0).start()) {
			ServiceProcess.inventory(stack, 1, Stacks.counted(5)).awaitUp(Stacks.SOON);
			App cold = ServiceProcess.aggregatingGateway(stack, 1).awaitReady(Stacks.SOON);
			App warmed = ServiceProcess.aggregatingGateway(stack, 2, CATALOG).awaitReady(Stacks.SOON);
			for (App gateway : List.of(cold, warmed)) {
				assertThat(gateway.get("/overview").status()).isEqualTo(200);
				// it comes after the gate is open
				gateway.await(READY, Stacks.SOON, () -> gateway.logText().contains(READY));
			}
			assertThat(cold.logText()).doesNotContainPattern("aggregating-gateway/\\S+ WARMING");
			assertThat(warmed.logText()).containsPattern("(?s)aggregating-gateway/\\S+ WARM startup: [1-9].*" + READY);
		}
	}

}
