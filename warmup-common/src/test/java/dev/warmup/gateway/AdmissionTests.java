package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Who is admitted. */
class AdmissionTests {

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Admission admission = new Admission(2, this.time);

	private final List<Mono<Void>> permits = new CopyOnWriteArrayList<>();

	@Test
	void oneRequestOfAnInstanceIsInFlightAndTwoInAll() {
		ask("one");
		ask("one");
		ask("two");
		ask("three");
		assertThat(this.permits).hasSize(3).doesNotHaveDuplicates();
		assertThat(this.permits.get(1)).isSameAs(Admission.REFUSED);
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.permits).hasSize(4).last().isSameAs(Admission.REFUSED);
		this.permits.get(0).subscribe();
		this.permits.get(0).subscribe();
		ask("one");
		ask("four");
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(this.permits.get(4)).isNotSameAs(Admission.REFUSED);
		assertThat(this.permits.get(5)).isSameAs(Admission.REFUSED);
	}

	@Test
	void whoWaitsIsAdmittedOnceAnotherIsAnswered() {
		ask("one");
		ask("two");
		ask("three");
		this.permits.get(0).subscribe();
		this.time.advanceTimeBy(Duration.ofMillis(100));
		assertThat(this.permits).hasSize(3).last().isNotSameAs(Admission.REFUSED);
	}

	@Test
	void aCanceledRequestTakesNoPermit() {
		ask("one");
		ask("two");
		ask("three").dispose();
		this.permits.get(0).subscribe();
		ask("four");
		assertThat(this.permits).hasSize(3).last().isNotSameAs(Admission.REFUSED);
	}

	@Test
	void aPermitThatIsNeverReleasedIsLostForAMinute() {
		ask("one");
		ask("two");
		this.time.advanceTimeBy(Duration.ofMinutes(2));
		ask("one");
		assertThat(this.permits).last().isNotSameAs(Admission.REFUSED);
	}

	private Disposable ask(String instance) {
		return this.admission.permit(instance).subscribe(this.permits::add);
	}

}
