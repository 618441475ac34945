package dev.warmup.web;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.WarmupClaim;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

/** A WebFlux service that calls another one within a warm-up. */
class ReactivePropagationTests extends PropagationContract {

	@Override
	RunningApplication start(RunningApplication downstream) {
		return Downstream.startAbove(ReactiveService.class, WebApplicationType.REACTIVE, downstream);
	}

	@Override
	List<String> clients() {
		return List.of("web-client", "other-thread", "load-balanced", "interface");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportHttpServices(group = "seen", types = SeenService.class, clientType = ClientType.WEB_CLIENT)
	static class ReactiveService {

		@Bean(defaultCandidate = false)
		@LoadBalanced
		WebClient.Builder loadBalancedBuilder() {
			return WebClient.builder();
		}

		@Bean
		Calls calls(WebClient.Builder builder, @LoadBalanced WebClient.Builder loadBalanced, SeenService service,
				@Value("${downstream}") String address) {
			WebClient client = builder.baseUrl(address).build();
			return new Calls(Map.of("web-client", (headers) -> call(client, headers), //
					"other-thread", (headers) -> call(client, headers).subscribeOn(Schedulers.parallel()),
					"load-balanced",
					(headers) -> call(loadBalanced.baseUrl("http://" + Downstream.NAME).build(), headers), //
					"interface", (headers) -> service.seen(headers.toSingleValueMap())));
		}

		private static Mono<String> call(WebClient client, HttpHeaders headers) {
			return client.get()
				.uri("/seen")
				.headers((sent) -> sent.addAll(headers))
				.retrieve()
				.bodyToMono(String.class);
		}

	}

	interface SeenService {

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
				headers.set(WarmupClaim.HEADER, Downstream.OWN);
			}
			return this.clients.get(client).apply(headers);
		}

	}

}
