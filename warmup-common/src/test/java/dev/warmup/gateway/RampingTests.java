package dev.warmup.gateway;

import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.loadbalancer.UserShares;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How a real gateway shares out users while one of two instances is RAMPING. */
class RampingTests {

	/** Before so many answers its weight may be 1 for a moment, and fall again. */
	private static final int FULL_AFTER = 50;

	private final StubService warm = new StubService();

	private final StubService newcomer = new StubService();

	private RunningApplication gateway;

	/**
	 * With a window that is longer than the test, so that no newcomer is a full member by
	 * its age.
	 */
	@BeforeEach
	void start() {
		this.gateway = new GatewayFixture().with("warmup.ramp.window=10m")
			.instances("chat", this.warm.address(), "chat-1")
			.with("spring.cloud.discovery.client.simple.instances.chat[1].uri=" + this.newcomer.address(),
					"spring.cloud.discovery.client.simple.instances.chat[1].instance-id=chat-2",
					"spring.cloud.discovery.client.simple.instances.chat[1].metadata.warmup-jwk="
							+ Claims.jwk("chat-2"))
			.route("chat-route", "lb://chat", "/**")
			.start();
	}

	@AfterEach
	void stop() {
		this.warm.close();
		this.newcomer.close();
		this.gateway.close();
	}

	@Test
	void newcomerGetsFewUsersUntilItIsSeenToBeFast() {
		assertThat(share(40)).isEqualTo(20);
		ramp();
		assertThat(share(40)).as("a twentieth of a half").isLessThan(10);
		UserShares shares = this.gateway.bean(UserShares.class);
		long measured = 0;
		for (int sent = 0; sent < 20_000 && (measured < FULL_AFTER || shares.of("chat-2") < 1); sent++) {
			measured += share(1);
		}
		assertThat(shares.of("chat-2")).as("after %d users of its own", measured).isEqualTo(1);
		assertThat(share(40)).isBetween(15L, 25L);
	}

	@Test
	void newcomerIsNoSiblingOfOthersUntilItIsWarm() {
		assertThat(siblings("chat-1")).isEqualTo("1");
		ramp();
		assertThat(siblings("chat-1")).isEqualTo("0");
		assertThat(published()).isBetween(0.05, 0.25);
		report(Phase.DEGRADED, Gate.Position.CLOSED);
		assertThat(siblings("chat-1")).isEqualTo("0");
		report(Phase.WARM, Gate.Position.CLOSED);
		assertThat(siblings("chat-1")).isEqualTo("1");
		assertThat(published()).isEqualTo(1);
	}

	@Test
	void newcomerGetsAShareAlsoWhereItsReportComesBeforeItsGateOpens() {
		report(Phase.RAMPING, Gate.Position.CLOSED);
		assertThat(this.gateway.bean(UserShares.class).of("chat-2")).isLessThan(1);
	}

	private double published() {
		return this.gateway.json("/actuator/metrics/warmup.share?tag=service:chat&tag=instance:chat-2")
			.at("/measurements/0/value")
			.asDouble();
	}

	private String siblings(String instance) {
		return this.gateway
			.get("/.warmup/instances/" + instance, "X-Warmup", Claims.of(instance, SignedClaim.Scope.REPLAY, "r"))
			.headers()
			.firstValue("X-Warmup-Siblings")
			.orElseThrow();
	}

	/** How many of so many users the newcomer gets. */
	private long share(int users) {
		this.newcomer.drain();
		for (int i = 0; i < users; i++) {
			assertThat(this.gateway.get("/rooms").statusCode()).isEqualTo(200);
		}
		return this.newcomer.drain().size();
	}

	private void ramp() {
		report(Phase.RAMPING, Gate.Position.OPEN);
	}

	private void report(Phase phase, Gate.Position gate) {
		RunReport report = new RunReport("chat", "chat-2", phase, gate, Reports.warm("chat", "chat-2", "run-1").run());
		assertThat(Reports.put(this.gateway, report)).isEqualTo(204);
	}

}
