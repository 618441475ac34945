package dev.warmup.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.warmup.RunningApplication;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;

/** A Spring MVC service that calls another one while it handles warm-up. */
class ServletPropagationTests extends PropagationContract {

	@Override
	RunningApplication start(RunningApplication downstream) {
		return Downstream.startAbove(ServletService.class, WebApplicationType.SERVLET, downstream);
	}

	@Override
	List<String> clients() {
		return List.of("rest-client", "rest-template", "web-client", "balanced-rest-client", "balanced-rest-template",
				"interface");
	}

	@Test
	void requestBodiesAreNotBufferedForAnInterceptor() {
		RestClient.Builder builder = RestClient.builder();
		ClientMark mark = new ClientMark(new StaticListableBeanFactory().getBeanProvider(WarmupKey.class),
				new StaticListableBeanFactory().getBeanProvider(InstanceSource.class));
		mark.addTo(builder);
		builder.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty());
		RestTemplate template = new RestTemplate();
		mark.addTo(template);
		assertThat(template.getInterceptors()).isEmpty();
	}

	private static String get(RestClient client, HttpHeaders headers) {
		return body(client.get().uri("/seen").headers((sent) -> sent.addAll(headers)).retrieve().body(String.class));
	}

	private static String get(RestTemplate client, String address, HttpHeaders headers) {
		return body(
				client.exchange(address + "/seen", HttpMethod.GET, new HttpEntity<>(headers), String.class).getBody());
	}

	private static String get(WebClient client, HttpHeaders headers) {
		return body(client.get()
			.uri("/seen")
			.headers((sent) -> sent.addAll(headers))
			.retrieve()
			.bodyToMono(String.class)
			.block());
	}

	private static String body(String body) {
		return Objects.requireNonNull(body);
	}

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
			String name = "http://" + Downstream.NAME;
			RestClient restClient = restClients.baseUrl(address).build();
			RestTemplate restTemplate = restTemplates.build();
			WebClient webClient = webClients.baseUrl(address).build();
			RestClient balancedClient = balanced.baseUrl(name).build();
			return new Calls(Map.of("rest-client", (headers) -> get(restClient, headers), //
					"rest-template", (headers) -> get(restTemplate, address, headers), //
					"web-client", (headers) -> get(webClient, headers), //
					"balanced-rest-client", (headers) -> get(balancedClient, headers), //
					"balanced-rest-template", (headers) -> get(balancedTemplate, name, headers), //
					"interface", (headers) -> service.seen(headers.toSingleValueMap())));
		}

	}

	interface SeenService {

		@GetExchange("/seen")
		String seen(@RequestHeader Map<String, String> headers);

	}

	@RestController
	static class Calls {

		private final Map<String, Function<HttpHeaders, String>> clients;

		Calls(Map<String, Function<HttpHeaders, String>> clients) {
			this.clients = clients;
		}

		@GetMapping("/calls/{client}")
		String call(@PathVariable String client, @RequestParam(defaultValue = "false") boolean own) {
			HttpHeaders headers = new HttpHeaders();
			if (own) {
				headers.set(WarmupClaim.HEADER, Downstream.OWN);
			}
			return this.clients.get(client).apply(headers);
		}

	}

}
