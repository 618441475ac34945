package dev.warmup.protocol;

import java.util.Optional;

import dev.warmup.WarmupContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupClaimTests {

	private static final WarmupClaim CLAIM = new WarmupClaim("host:chat-service:8080", Optional.empty(), "run-1");

	@ParameterizedTest
	@ValueSource(strings = { "instance=host:chat-service:8080;run=run-1", "run=run-1; instance=host:chat-service:8080",
			" instance=host:chat-service:8080 ;  run=run-1 ", "instance=host:chat-service:8080; run=run-1;",
			"instance=host:chat-service:8080; token=abc_-123; run=run-1",
			"v=2; instance=host:chat-service:8080; run=run-1; x",
			"instance=host:chat-service:8080; instance=b; run=run-1" })
	void orderSpacesAndOtherParametersDoNotMatter(String header) {
		assertThat(WarmupClaim.parse(header)).contains(CLAIM);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", ";", "true", "instance=a", "run=b", "instance=; run=b", "instance=a; run=",
			"Instance=a; run=b", "INSTANCE=a; RUN=b", "instance=a; Run=b", "instance=a, run=b", "instance = a; run=b",
			"instance=a b; run=c", "instance=a\t; run=b", "instance=a\r\nX-Evil: 1; run=b", "instance=a; run=b c",
			"instance=a; run=b.c", "instance=ä; run=b", "instance=a; run=b\u0000", "xinstance=a; run=b",
			"instance=a; xrun=b", "instance=\"a\"; run=b", "instance=<script>; run=b", "instance=${jndi}; run=b",
			"instance=a; run=../../b", "instance=a; run=b, instance=a; run=b", ",; instance=a; run=b" })
	void malformedValueIsNoClaim(String header) {
		assertThat(WarmupClaim.parse(header)).isEmpty();
	}

	@Test
	void valueThatIsTooLongIsNoClaim() {
		assertThat(WarmupClaim.parse("instance=" + "a".repeat(253) + "; run=" + "b".repeat(64))).isPresent();
		assertThat(WarmupClaim.parse("instance=" + "a".repeat(254) + "; run=b")).isEmpty();
		assertThat(WarmupClaim.parse("instance=a; run=" + "b".repeat(65))).isEmpty();
		String padded = "instance=a; run=b; ";
		assertThat(WarmupClaim.parse(padded + "x".repeat(4096 - padded.length()))).isPresent();
		assertThat(WarmupClaim.parse(padded + "x".repeat(4097 - padded.length()))).isEmpty();
	}

	@Test
	void tokenIsWrittenAndReadButNeverPrinted() {
		WarmupClaim claim = new WarmupClaim("azAZ09_.:[]%@/-", Optional.of("eyJh.eyJp.c2ln-_"), "azAZ09_-");
		assertThat(claim.format()).isEqualTo("instance=azAZ09_.:[]%@/-; run=azAZ09_-; jwt=eyJh.eyJp.c2ln-_");
		assertThat(WarmupClaim.parse(claim.format())).contains(claim);
		assertThat(claim).hasToString("instance=azAZ09_.:[]%@/-; run=azAZ09_-");
		assertThat(claim.toContext()).isEqualTo(new WarmupContext("azAZ09_.:[]%@/-", "azAZ09_-"));
	}

}
