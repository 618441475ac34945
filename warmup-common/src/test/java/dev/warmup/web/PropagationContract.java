package dev.warmup.web;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.WarmupClaim;
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
	void warmupIsMarkedDownstreamWithoutItsToken(String client) {
		WarmupClaim claim = Downstream.claimOf(this.service);
		assertThat(claim.token()).isPresent();
		assertThat(seen(client, WarmupClaim.HEADER, claim.format())).isEqualTo(Seen.markOf(claim));
	}

	@ParameterizedTest
	@MethodSource("clients")
	void markIsPropagatedUnchanged(String client) {
		WarmupClaim mark = new WarmupClaim("host:above:1", Optional.empty(), "r-2");
		assertThat(seen(client, WarmupClaim.HEADER, mark.format())).isEqualTo(Seen.markOf(mark));
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
			.isEqualTo(new Seen(List.of(Downstream.OWN), true));
	}

	private Seen seen(String client, String... headers) {
		HttpResponse<String> answer = this.service.get("/calls/" + client, headers);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readValue(answer.body(), Seen.class);
	}

}
