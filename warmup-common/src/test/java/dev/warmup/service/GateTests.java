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
		this.gate.open();
		this.gate.open();
		assertThat(this.gate.isOpen()).isTrue();
		assertThat(this.events).containsExactly(new GateOpened());
	}

	@Test
	void whereItIsTurnedOffItIsOpenFromTheStartAndSaysSoWhenTheApplicationIsReady() {
		Gate off = new Gate(false, this.events::add);
		assertThat(off.isOpen()).isTrue();
		assertThat(this.events).isEmpty();
		off.ready();
		off.open();
		assertThat(this.events).containsExactly(new GateOpened());
		this.gate.ready();
		assertThat(this.gate.isOpen()).isFalse();
	}

	@Test
	void itDoesNotOpenWhileTheApplicationStopsAndStaysWhatItWasIfThatComesBack() {
		this.gate.leave();
		assertThat(this.gate.isLeaving()).isTrue();
		this.gate.open();
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
