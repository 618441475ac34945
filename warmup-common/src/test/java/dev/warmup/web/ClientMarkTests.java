package dev.warmup.web;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import dev.warmup.web.Downstream.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of client by which a WebFlux or Spring MVC service calls another. */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientMarkTests {

	private RunningApplication downstream;

	private RunningApplication service;

	@Parameter
	private WebApplicationType type;

	/** The clients, each called by {@code GET /calls/<client>}. */
	List<String> clients() {
		return (this.type == WebApplicationType.SERVLET)
				? List.of("rest-client", "rest-template", "web-client", "balanced-rest-client",
						"balanced-rest-template", "interface")
				: List.of("web-client", "other-thread", "load-balanced", "interface");
	}

	@BeforeParameterizedClassInvocation
	void start() {
		this.downstream = Downstream.start();
		this.service = Downstream.startAbove(this.type, this.downstream);
	}

	@AfterParameterizedClassInvocation
	void stop() {
		this.service.close();
		this.downstream.close();
	}

	@ParameterizedTest
	@MethodSource("clients")
	void warmupIsMarkedDownstreamAndItsMarkPassedOn(String client) {
		WarmupClaim claim = Downstream.claimOf(this.service);
		assertMarked(seen(client, WarmupClaim.HEADER, claim.format()), claim.toContext());
		WarmupContext above = new WarmupContext("host:above:1", "r-2");
		WarmupClaim mark = this.service.bean(WarmupKey.class).mark("host:below:1", "upstream", above);
		assertMarked(seen(client, WarmupClaim.HEADER, mark.format()), above);
	}

	@ParameterizedTest
	@MethodSource("clients")
	void callsForUsersAreNotMarkedAndAHeaderSetByTheApplicationIsLeftAlone(String client) {
		assertThat(seen(client)).isEqualTo(Seen.USER);
		assertThat(seen(client + "?own=true", WarmupClaim.HEADER, Downstream.claimOf(this.service).format()))
			.isEqualTo(new Seen(List.of(Downstream.OWN), false));
	}

	/** The mark is signed for the called service, and serves no other purpose. */
	private void assertMarked(Seen seen, WarmupContext context) {
		assertThat(seen.warmup()).isTrue();
		assertThat(seen.headers()).singleElement()
			.satisfies((header) -> assertThat(WarmupClaim.parse(header)
				.flatMap((mark) -> mark.read(SignedClaim.Scope.MARK, new Instance(Downstream.NAME, "any"),
						Instant.now()))
				.map(SignedClaim::toContext)).hasValue(context));
	}

	@ParameterizedTest
	@CsvSource({ "http://chat, true", "http://chat.shop.svc.cluster.local, true", "https://api.example.com, false",
			"http://10.0.0.1, false", "http://chat.svc.evil.example, false", "http://chat.shop.svc.example, false" })
	void onlyServicesGetAMark(String url, boolean marked) {
		AtomicReference<HttpHeaders> sent = new AtomicReference<>();
		WebClient.Builder builder = WebClient.builder().exchangeFunction((request) -> {
			sent.set(request.headers());
			return Mono.just(ClientResponse.create(HttpStatus.OK).build());
		});
		this.service.bean(ClientMark.class).addTo(builder);
		StepVerifier
			.create(builder.build()
				.get()
				.uri(url)
				.retrieve()
				.toBodilessEntity()
				.contextWrite((context) -> context.put(WarmupContext.class, new WarmupContext("host:1", "r-1"))))
			.expectNextCount(1)
			.expectComplete()
			.verify(Duration.ofSeconds(30));
		assertThat(sent.get().containsHeader(WarmupClaim.HEADER)).isEqualTo(marked);
	}

	@Test
	void requestBodiesAreNotBufferedForAnInterceptor() {
		ClientMark mark = this.service.bean(ClientMark.class);
		RestClient.Builder builder = RestClient.builder();
		mark.addTo(builder);
		builder.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty());
		RestTemplate template = new RestTemplate();
		mark.addTo(template);
		assertThat(template.getInterceptors()).isEmpty();
	}

	private Seen seen(String client, String... headers) {
		HttpResponse<String> answer = this.service.get("/calls/" + client, headers);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return JsonMapper.shared().readValue(answer.body(), Seen.class);
	}

}
