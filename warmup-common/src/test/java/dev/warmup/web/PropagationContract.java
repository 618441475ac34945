package dev.warmup.web;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;

import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.ClaimScope;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.web.Downstream.Seen;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of client that a service may call another service with. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PropagationContract {

	private RunningApplication downstream;

	private RunningApplication service;

	abstract RunningApplication start(RunningApplication downstream);

	/** The clients, each called by {@code GET /calls/<client>}. */
	abstract List<String> clients();

	@BeforeAll
	void start() {
		this.downstream = Downstream.start();
		this.service = start(this.downstream);
	}

	@AfterAll
	void stop() {
		this.service.close();
		this.downstream.close();
	}

	@ParameterizedTest
	@MethodSource("clients")
	void warmupIsMarkedDownstream(String client) {
		WarmupClaim claim = Downstream.claimOf(this.service);
		assertMarked(seen(client, WarmupClaim.HEADER, claim.format()), claim.toContext());
	}

	@ParameterizedTest
	@MethodSource("clients")
	void markIsPassedOn(String client) {
		WarmupContext above = new WarmupContext("host:above:1", "r-2");
		WarmupClaim mark = this.service.bean(WarmupKey.class).mark("host:below:1", "upstream", above);
		assertMarked(seen(client, WarmupClaim.HEADER, mark.format()), above);
	}

	/** The mark is signed for the called service, and serves no other purpose. */
	private void assertMarked(Seen seen, WarmupContext context) {
		assertThat(seen.warmup()).isTrue();
		assertThat(seen.headers()).singleElement()
			.satisfies((header) -> assertThat(WarmupClaim.parse(header)
				.flatMap((mark) -> mark.read(ClaimScope.MARK, new Instance(Downstream.NAME, "any"), Instant.now()))
				.map(SignedClaim::toContext)).hasValue(context));
	}

	@ParameterizedTest
	@MethodSource("clients")
	void callsForUsersAreNotMarked(String client) {
		assertThat(seen(client)).isEqualTo(Seen.USER);
	}

	@ParameterizedTest
	@MethodSource("clients")
	void headerSetByTheApplicationIsLeftAlone(String client) {
		assertThat(seen(client + "?own=true", WarmupClaim.HEADER, Downstream.claimOf(this.service).format()))
			.isEqualTo(new Seen(List.of(Downstream.OWN), false));
	}

	private Seen seen(String client, String... headers) {
		HttpResponse<String> answer = this.service.get("/calls/" + client, headers);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readValue(answer.body(), Seen.class);
	}

}
