package dev.warmup.web;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import dev.warmup.RunningApplication;
import dev.warmup.WarmupContext;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
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
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of client by which a WebFlux or Spring MVC service calls another. */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientMarkTests {

	/** In discovery as well as in the address, so that marks for both are accepted. */
	private static final String NAME = "localhost";

	private static final String SECRET = "warmup.token=a secret of both services, long enough";

	private static final String OWN = "instance=mine; run=own";

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
		this.downstream = RunningApplication.service(DownstreamService.class, WebApplicationType.REACTIVE,
				"spring.application.name=" + NAME, SECRET);
		String address = this.downstream.address();
		// finds the other by address, by name, and by HTTP interface
		this.service = RunningApplication.service(
				(this.type == WebApplicationType.SERVLET) ? ServletService.class : ReactiveService.class, this.type,
				SECRET, "spring.application.name=upstream", "downstream=" + address,
				"spring.cloud.discovery.client.simple.instances." + NAME + "[0].uri=" + address,
				"spring.http.serviceclient.seen.base-url=" + address, RunningApplication.EAGER + NAME);
	}

	@AfterParameterizedClassInvocation
	void stop() {
		this.service.close();
		this.downstream.close();
	}

	@ParameterizedTest
	@MethodSource("clients")
	void warmupIsMarkedDownstreamAndItsMarkPassedOn(String client) {
		WarmupClaim claim = claimOf(this.service);
		assertMarked(seen(client, WarmupClaim.HEADER, claim.format()), claim.toContext());
		WarmupContext above = new WarmupContext("host:above:1", "r-2");
		WarmupClaim mark = this.service.bean(WarmupKey.class).mark("host:below:1", "upstream", above);
		assertMarked(seen(client, WarmupClaim.HEADER, mark.format()), above);
	}

	@ParameterizedTest
	@MethodSource("clients")
	void callsForUsersAreNotMarkedAndAHeaderSetByTheApplicationIsLeftAlone(String client) {
		assertThat(seen(client)).isEqualTo(Seen.USER);
		assertThat(seen(client + "?own=true", WarmupClaim.HEADER, claimOf(this.service).format()))
			.isEqualTo(new Seen(List.of(OWN), false));
	}

	/** The mark is signed for the called service, and serves no other purpose. */
	private void assertMarked(Seen seen, WarmupContext context) {
		assertThat(seen.warmup()).isTrue();
		assertThat(seen.headers()).singleElement()
			.satisfies((header) -> assertThat(WarmupClaim.parse(header)
				.flatMap((mark) -> mark.read(SignedClaim.Scope.MARK, new Instance(NAME, "any"), Instant.now()))
				.map(SignedClaim::toContext)).hasValue(context));
	}

	@ParameterizedTest
	@CsvSource({ "http://chat, true", "http://chat.shop.svc.cluster.local, true", "https://api.example.com, false",
			"http://10.0.0.1, false", "http://2130706433, false", "http://chat.svc.evil.example, false",
			"http://chat.shop.svc.example, false" })
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

	/** The claim that an instance's own warm-up requests carry. */
	private static WarmupClaim claimOf(RunningApplication service) {
		return service.bean(WarmupKey.class)
			.claim(service.bean(Instance.Source.class).get().instanceId(), "gateway", SignedClaim.Scope.REPLAY, "r-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class DownstreamService {

		@GetMapping("/seen")
		Mono<Seen> seen(ServerWebExchange exchange) {
			return Mono.deferContextual((context) -> Mono
				.just(new Seen(exchange.getRequiredAttribute(Seen.class.getName()), WarmupContext.isWarmup(context))));
		}

		/** Keeps what arrived, which the application itself does not see. */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		WebFilter arrivals() {
			return (exchange, chain) -> {
				exchange.getAttributes()
					.put(Seen.class.getName(), exchange.getRequest().getHeaders().getOrEmpty(WarmupClaim.HEADER));
				return chain.filter(exchange);
			};
		}

	}

	/** Calls with every client that a Spring MVC service may have. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportHttpServices(group = "seen", types = SeenService.class)
	static class ServletService {

		@Bean(defaultCandidate = false)
		@LoadBalanced
		RestClient.Builder loadBalancedBuilder() {
			return RestClient.builder();
		}

		@Bean
		@LoadBalanced
		RestTemplate loadBalancedTemplate() {
			return new RestTemplate();
		}

		@Bean
		Calls calls(RestClient.Builder restClients, RestTemplateBuilder restTemplates, WebClient.Builder webClients,
				@LoadBalanced RestClient.Builder balanced, @LoadBalanced RestTemplate balancedTemplate,
				SeenService service, @Value("${downstream}") String address) {
			RestClient restClient = restClients.baseUrl(address).build();
			RestTemplate restTemplate = restTemplates.build();
			WebClient webClient = webClients.baseUrl(address).build();
			RestClient balancedClient = balanced.baseUrl("http://" + NAME).build();
			return new Calls(Map.of("rest-client", (headers) -> get(restClient, headers), //
					"rest-template", (headers) -> get(restTemplate, address, headers), //
					"web-client",
					(headers) -> Mono
						.justOrEmpty(ClientMarkTests.get(webClient, headers).block(Duration.ofSeconds(30))), //
					"balanced-rest-client", (headers) -> get(balancedClient, headers), //
					"balanced-rest-template", (headers) -> get(balancedTemplate, "http://" + NAME, headers), //
					"interface", (headers) -> Mono.just(service.seen(headers.toSingleValueMap()))));
		}

		private static Mono<String> get(RestClient client, HttpHeaders headers) {
			return Mono.justOrEmpty(
					client.get().uri("/seen").headers((sent) -> sent.addAll(headers)).retrieve().body(String.class));
		}

		private static Mono<String> get(RestTemplate client, String address, HttpHeaders headers) {
			return Mono
				.justOrEmpty(client.exchange(address + "/seen", HttpMethod.GET, new HttpEntity<>(headers), String.class)
					.getBody());
		}

	}

	/** Calls with every client that a WebFlux service may have. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportHttpServices(group = "seen", types = ReactiveSeenService.class, clientType = ClientType.WEB_CLIENT)
	static class ReactiveService {

		@Bean(defaultCandidate = false)
		@LoadBalanced
		WebClient.Builder loadBalancedBuilder() {
			return WebClient.builder();
		}

		@Bean
		Calls calls(WebClient.Builder builder, @LoadBalanced WebClient.Builder loadBalanced,
				ReactiveSeenService service, @Value("${downstream}") String address) {
			WebClient client = builder.baseUrl(address).build();
			return new Calls(Map.of("web-client", (headers) -> get(client, headers), //
					"other-thread", (headers) -> get(client, headers).subscribeOn(Schedulers.parallel()), //
					"load-balanced", (headers) -> get(loadBalanced.baseUrl("http://" + NAME).build(), headers), //
					"interface", (headers) -> service.seen(headers.toSingleValueMap())));
		}

	}

	private static Mono<String> get(WebClient client, HttpHeaders headers) {
		return client.get().uri("/seen").headers((sent) -> sent.addAll(headers)).retrieve().bodyToMono(String.class);
	}

	interface SeenService {

		@GetExchange("/seen")
		String seen(@RequestHeader Map<String, String> headers);

	}

	interface ReactiveSeenService {

		@GetExchange("/seen")
		Mono<String> seen(@RequestHeader Map<String, String> headers);

	}

	@RestController
	static class Calls {

		private final Map<String, Function<HttpHeaders, Mono<String>>> clients;

		Calls(Map<String, Function<HttpHeaders, Mono<String>>> clients) {
			this.clients = clients;
		}

		@GetMapping("/calls/{client}")
		Mono<String> call(@PathVariable String client, @RequestParam(defaultValue = "false") boolean own) {
			HttpHeaders headers = new HttpHeaders();
			if (own) {
				headers.set(WarmupClaim.HEADER, OWN);
			}
			return this.clients.get(client).apply(headers);
		}

	}

	/**
	 * What arrived.
	 *
	 * @param headers the values of the warm-up header
	 * @param warmup whether the application found itself handling warm-up
	 */
	record Seen(List<String> headers, boolean warmup) {

		static final Seen USER = new Seen(List.of(), false);

	}

}
