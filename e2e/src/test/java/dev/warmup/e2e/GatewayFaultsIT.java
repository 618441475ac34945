package dev.warmup.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Gateways that are killed, stopped or restarted while users come through another. */
@Tag("faults")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class GatewayFaultsIT {

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.counted("gateways", 20, "90s").gateways(3).start();
		Stacks.awaitPhase(stack.service(), "WARM", "DEGRADED"); // on a slow machine
		stack.gateways().forEach((gateway) -> gateway.awaitReady(Stacks.SOON));
		Stacks.awaitUsers(stack);
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	@Test
	void gatewayKilledAtTheRegistrationCheck() {
		killed("one of three gateways is killed as an instance registers",
				(gateway, newcomer) -> await().atMost(Stacks.SOON)
					.until(() -> Stacks.registered(stack).containsKey("127.0.0.1:" + newcomer.port())));
	}

	@Test
	void gatewayKilledInTheMiddleOfARun() {
		killed("one of three gateways is killed in the middle of a run through it", Stacks::awaitWarming);
	}

	private static void killed(String name, BiConsumer<App, App> moment) {
		App gateway = stack.gateways().get(2);
		try (Fault fault = Fault.of(name, stack)) {
			App newcomer = stack.addService();
			moment.accept(gateway, newcomer);
			gateway.kill();
			judge(fault.begins(), newcomer);
		}
		finally {
			gateway.restart();
			gateway.awaitReady(Stacks.SOON);
		}
	}

	@Test
	void gatewayKilledBeforeTheReport() throws IOException {
		App gateway = stack.gateways().get(2);
		try (TcpProxy proxy = new TcpProxy()) {
			proxy.to(gateway.port());
			proxy.on("\"gate\":\"OPEN\"", gateway::kill);
			App newcomer = joinsThrough(proxy, gateway);
			assertThat(newcomer.logText()).contains("did not accept the report");
			assertThat(newcomer.stop()).isTrue(); // unheard: its only gateway is away
		}
		finally {
			gateway.restart();
			gateway.awaitReady(Stacks.SOON);
		}
	}

	private static App joinsThrough(TcpProxy proxy, App gateway) {
		try (Fault fault = Fault.of("the only gateway of a run is killed before its report", stack)) {
			App newcomer = stack.addService("--warmup.gateway.url=http://127.0.0.1:" + proxy.port());
			await().atMost(Stacks.SOON).until(() -> !gateway.isAlive());
			observe(fault.begins(), newcomer);
			return newcomer;
		}
	}

	@Test
	void gatewayStoppedDuringARun() {
		App gateway = stack.gateways().get(1);
		try (Fault fault = Fault.of("one of three gateways is stopped (SIGSTOP) while an instance joins", stack)) {
			gateway.pause();
			fault.begins();
			judge(fault, stack.addService());
			gateway.resume();
		}
		finally {
			gateway.resume();
		}
	}

	@Test
	@Tag("full")
	void deregistrationThatAGatewayMissed() {
		App gateway = stack.gateways().get(1);
		App leaving = stack.addService().awaitReady(Stacks.SOON);
		try (Fault fault = Fault.of("a gateway misses the deregistration of an instance", stack, gateway)) {
			gateway.pause();
			fault.begins();
			assertThat(leaving.stop()).isTrue();
			gateway.resume();
			fault.recovers(() -> fault.users().during(Duration.ofSeconds(5)).stream().allMatch(Sample::expected));
			fault.verdict("the registry's next fetch removes it");
			fault.errorsFor(Duration.ofSeconds(45));
		}
		finally {
			gateway.resume();
		}
	}

	@Test
	void scaleDownAndRestartOfAGateway() {
		App gateway = stack.gateways().get(2);
		App leaving = stack.addService().awaitReady(Stacks.SOON);
		try (Fault fault = Fault.of("an instance is scaled down while another gateway restarts", stack)) {
			fault.begins();
			gateway.restart();
			assertThat(leaving.stop()).isTrue();
			fault.recovers(() -> gateway.get(Stacks.READY).status() == 200);
			fault.verdict("gateway READY");
			fault.noErrors();
		}
	}

	@Test
	void killedGatewayIsReadyAgainOnceItIsWarm() {
		App gateway = stack.gateways().get(2);
		try (Fault fault = Fault.of("kill -9 of a gateway, and its restart", stack)) {
			gateway.kill();
			fault.begins();
			gateway.restart();
			fault.recovers(() -> gateway.get(Stacks.READY).status() == 200);
			assertThat(gateway.get(Stacks.ROOMS).status()).isEqualTo(200);
			fault.verdict("gateway READY");
			fault.noErrors();
		}
	}

	/** The newcomer's gate opens in time, and users met no error; then it leaves. */
	private static void judge(Fault fault, App newcomer) {
		observe(fault, newcomer);
		assertThat(newcomer.stop()).isTrue();
	}

	private static void observe(Fault fault, App newcomer) {
		fault.recovers(() -> newcomer.get(Stacks.READY).status() == 200);
		fault.verdictOf(newcomer);
		assertThat(fault.recovery()).as("the deadline, and the start").isLessThan(Duration.ofSeconds(150));
		fault.users().during(Duration.ofSeconds(3));
		fault.noErrors();
	}

}
