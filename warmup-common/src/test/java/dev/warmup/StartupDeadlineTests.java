package dev.warmup;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

class StartupDeadlineTests {

	@Test
	void gateOpensAtTheDeadlineOfTheSettings() {
		try (RunningApplication service = RunningApplication.service(RunningApplication.Plain.class,
				WebApplicationType.REACTIVE, "warmup.gateway.url=http://127.0.0.1:1",
				"warmup.catalog=classpath:dev/warmup/rooms.yml", "warmup.startup.budget=10m",
				"warmup.startup.deadline=1s")) {
			service.awaitReady();
		}
	}

}
