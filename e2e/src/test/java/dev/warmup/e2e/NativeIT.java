package dev.warmup.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.warmup.bench.load.Marks;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Without a registry, instances announce themselves with a secret to gateways that are
 * found by their name, and {@code lb://} routes lead to them. The tests share one stack,
 * in the order of its life.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NativeIT {

	/** Of an announcement. */
	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final String STOCK = "/inventory/stock";

	private static final String[] NATIVE = { "--eureka.client.enabled=false",
			"--warmup.secret=a secret of more than thirty-two bytes" };

	private static Stack stack;

	@BeforeAll
	static void start() {
		stack = Stacks.counted("native", 5).registries(0).services(0).clientArgs(NATIVE).start();
		App chat = addChat();
		App inventory = ServiceProcess.inventory(stack, 1,
				Stream.of(NATIVE, Stacks.counted(5), gateways()).flatMap(Stream::of).toArray(String[]::new));
		Stream.of(chat, inventory, stack.gateway()).forEach((app) -> app.awaitReady(Stacks.SOON));
	}

	@AfterAll
	static void stop() {
		stack.close();
	}

	private static App addChat() {
		return stack.addService(gateways());
	}

	private static String[] gateways() {
		return new String[] { "--warmup.gateway.url=http://localhost:" + stack.gateway().port() };
	}

	@Test
	@Order(1)
	void instancesAreWarmAndUsersReachThem() {
		stack.gateway().awaitLog("chat-service/\\S+ WARM startup: ", Stacks.SOON);
		stack.gateway().awaitLog("inventory/\\S+ WARM startup: ", Stacks.SOON);
		for (String path : new String[] { Stacks.ROOMS, STOCK }) {
			await().atMost(Stacks.SOON).until(() -> stack.get(path).status() == 200);
		}
		Stacks.assertNoAlarm(stack.gateway());
		Stacks.assertNoAlarm(stack.service());
	}

	@Test
	@Order(2)
	void noUserMeetsAnErrorWhenAnInstanceJoinsAndWhenOneLeaves() {
		Marks.put(stack.service());
		try (Traffic users = Traffic.of(stack)) {
			App newcomer = addChat();
			Instant closed = Stacks.lastClosed(newcomer);
			users.awaitReaches(Marks.NONE);
			assertThat(users.since(newcomer.started()))
				.noneMatch((sample) -> sample.instance().equals(Marks.NONE) && sample.end().isBefore(closed));
			assertThat(stack.service().stop()).isTrue();
			assertThat(users.isCalm()).isTrue();
			Stacks.assertNoAlarm(newcomer);
		}
		Stacks.assertNoAlarm(stack.service());
	}

	@Test
	@Order(3)
	void anInstanceThatIsKilledCostsNoMoreThanItsLease() {
		App killed = stack.service();
		killed.restart();
		killed.awaitReady(Stacks.SOON);
		try (Traffic users = Traffic.of(stack)) {
			users.awaitReaches(Marks.NONE);
			Instant before = Instant.now().minusSeconds(1);
			killed.kill();
			await().atMost(Stacks.SOON).until(users::isCalm);
			users.errorsBetween(before, before.plus(LEASE));
		}
	}

	@Test
	@Order(4)
	void aGatewayThatRestartsFindsEveryInstanceBeforeItIsReady() {
		stack.gateway().restart();
		stack.gateway().awaitReady(Stacks.SOON);
		assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(200);
		assertThat(stack.get(STOCK).status()).isEqualTo(200);
	}

}
