package dev.warmup.bench.scenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.warmup.bench.load.SteadyClient.Sample;
import dev.warmup.bench.stack.Answer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class JoinTests {

	private static final Instant UP = Instant.parse("2020-01-01T00:00:10Z");

	private static final List<Sample> BEFORE = List.of(user(-5000, 3, "chat-service-1"));

	private final Notebook notebook = new Notebook();

	@Test
	void onlyUsersWhomTheNewInstanceAnsweredBeforeItWasUpAreCounted() {
		Join.record(BEFORE, List.of(user(-500, 100, "chat-service-1"), user(-500, 100, Marks.NONE),
				user(-100, 300, Marks.NONE), user(500, 100, Marks.NONE)), UP, this.notebook);
		assertThat(this.notebook.figures()).containsEntry("users at an instance that is not UP", 1.0);
	}

	@Test
	void aRefusedUserIsAnErrorAndNobodysUser() {
		Join.record(BEFORE, List.of(new Sample(UP.minusSeconds(2), Duration.ofMillis(7), 503, Marks.NONE)), UP,
				this.notebook);
		assertThat(this.notebook.figures()).containsEntry("users at an instance that is not UP", 0.0)
			.containsEntry("errors", 1.0)
			.containsEntry("max around", 7.0)
			.containsEntry("p99 before", 3.0);
	}

	@Test
	void readersAreToldWhenTheNewInstanceAnsweredNobody() {
		Join.record(BEFORE, List.of(user(0, 1, "chat-service-1")), UP, this.notebook);
		assertThat(this.notebook.notes()).singleElement().asString().contains("No user was answered");
	}

	@Test
	void anInstanceIsUpFromTheEarlierOfRegistryAndGate() {
		assertThat(Join.up(Optional.of(UP), Optional.of(UP.minusMillis(80)))).isEqualTo(UP.minusMillis(80));
		assertThat(Join.up(Optional.of(UP), Optional.of(UP.plusMillis(80)))).isEqualTo(UP);
		assertThat(Join.up(Optional.of(UP), Optional.empty())).isEqualTo(UP);
		assertThatIllegalStateException().isThrownBy(() -> Join.up(Optional.empty(), Optional.empty()))
			.withMessageContaining("chat-service-2");
	}

	@Test
	void aGateThatIsClosedOrNotThereHasNotOpened() {
		String status = "{\"phase\":\"%s\",\"gate\":\"%s\",\"since\":\"2020-01-01T00:00:10Z\"}";
		assertThat(Join.opened(new Answer(200, status.formatted("WARM", "OPEN")))).contains(UP);
		assertThat(Join.opened(new Answer(200, status.formatted("DEGRADED", "OPEN")))).contains(UP);
		assertThat(Join.opened(new Answer(200, status.formatted("FAILED", "CLOSED")))).isEmpty();
		assertThat(Join.opened(new Answer(200, status.formatted("WARMING", "CLOSED")))).isEmpty();
		assertThat(Join.opened(new Answer(200, status.formatted("COLD", "OPEN")))).isEmpty();
		assertThat(Join.opened(new Answer(404, ""))).isEmpty();
	}

	private static Sample user(long afterUp, long latency, String by) {
		return new Sample(UP.plusMillis(afterUp), Duration.ofMillis(latency), 200, by);
	}

}
