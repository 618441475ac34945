package dev.warmup.service;

import java.util.ArrayList;
import java.util.List;

import dev.warmup.GateOpened;
import dev.warmup.protocol.GatePosition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GateTests {

	private final List<Object> events = new ArrayList<>();

	private final Gate gate = new Gate(true, this.events::add);

	@Test
	void itOpensOnceAndSaysSo() {
		assertThat(this.gate.position()).isEqualTo(GatePosition.CLOSED);
		assertThat(this.gate.open()).isTrue();
		assertThat(this.gate.open()).isFalse();
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.events).containsExactly(new GateOpened());
	}

	@Test
	void itIsOpenFromTheStartWhereItIsTurnedOff() {
		Gate off = new Gate(false, this.events::add);
		assertThat(off.isOpen()).isTrue();
		assertThat(off.open()).isFalse();
		assertThat(this.events).isEmpty();
	}

	@Test
	void itDoesNotOpenWhileTheApplicationStopsAndStaysWhatItWasIfThatComesBack() {
		this.gate.leave();
		assertThat(this.gate.isLeaving()).isTrue();
		assertThat(this.gate.open()).isFalse();
		this.gate.comeBack();
		assertThat(this.gate.isLeaving()).isFalse();
		assertThat(this.gate.isOpen()).isFalse();
		this.gate.open();
		this.gate.leave();
		assertThat(this.gate.isOpen()).isTrue();
		this.gate.comeBack();
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.events).hasSize(1);
	}

}
