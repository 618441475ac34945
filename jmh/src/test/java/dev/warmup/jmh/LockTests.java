package dev.warmup.jmh;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import dev.warmup.gateway.WarmupGlobalFilter;
import dev.warmup.protocol.UserActivity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.server.reactive.HttpHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** That a user's request waits for no lock of the library, whoever holds it. */
class LockTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration SHORT = Duration.ofMillis(500);

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ABSENT")
	void usersOfGatewayWaitForNoLock(Library library) throws Exception {
		try (Gateway gateway = new Gateway(library)) {
			List<URI> paths = Paths.of(library);
			paths.forEach(gateway::get);
			List<Object> kept = Kept.by(gateway.context());
			assertThat(kept).hasAtLeastOneElementOfType(WarmupGlobalFilter.class)
				.hasAtLeastOneElementOfType(ReentrantLock.class)
				.hasAtLeastOneElementOfType(ConcurrentHashMap.class);
			assertThat(HeldLocks.doWhileHeld(kept, () -> paths.stream().mapToInt(gateway::get).distinct().toArray(),
					PATIENCE))
				.containsExactly(200);
		}
	}

	@Test
	void usersOfReactiveServiceWaitForNoLock() throws Exception {
		try (ConfigurableApplicationContext context = Contexts.reactiveService(Library.PRESENT)) {
			ReactiveApplication service = new ReactiveApplication(context.getBean(HttpHandler.class));
			service.get(Paths.COVERED);
			List<Object> kept = Kept.by(context);
			assertThat(kept).hasAtLeastOneElementOfType(UserActivity.class);
			assertThat(HeldLocks.doWhileHeld(kept, () -> service.get(Paths.COVERED), PATIENCE)).isEqualTo(200);
		}
	}

	@Test
	void usersOfServletServiceWaitForNoLock() throws Exception {
		try (ConfigurableApplicationContext context = Contexts.servletService(Library.PRESENT)) {
			ServletFilters service = new ServletFilters(context);
			service.get("/rooms/lobby");
			List<Object> kept = Kept.by(context);
			assertThat(kept).hasAtLeastOneElementOfType(UserActivity.class);
			assertThat(HeldLocks.doWhileHeld(kept, () -> service.get("/rooms/lobby"), PATIENCE)).isEqualTo(200);
		}
	}

	/** So that the tests above can fail. */
	@Test
	void whoWantsWhatIsHeldWaits() {
		Locked locked = new Locked();
		List<Object> reachable = Reachable.from(List.of(locked));
		for (Runnable work : List.<Runnable>of(locked::bySynchronized, locked::byLock, locked::byBinOfMap)) {
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> HeldLocks.doWhileHeld(reachable, () -> {
				work.run();
				return 0;
			}, SHORT));
		}
	}

	@Test
	void whoWantsNothingThatIsHeldGoesOn() throws Exception {
		Locked locked = new Locked();
		List<Object> held = new ArrayList<>(Reachable.from(List.of(locked)));
		assertThat(HeldLocks.doWhileHeld(held, locked::byNothing, PATIENCE)).isEqualTo(1);
	}

	private static final class Locked {

		private final ReentrantLock lock = new ReentrantLock();

		private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

		Locked() {
			this.map.put("key", 1);
		}

		synchronized void bySynchronized() {
			this.map.get("key");
		}

		void byLock() {
			this.lock.lock();
			this.lock.unlock();
		}

		void byBinOfMap() {
			this.map.compute("key", (key, value) -> value + 1);
		}

		int byNothing() {
			return this.map.get("key");
		}

	}

}
