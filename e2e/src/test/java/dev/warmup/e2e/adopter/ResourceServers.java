package dev.warmup.e2e.adopter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.WarmupClientCustomizer;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.reactive.function.client.ServerOAuth2AuthorizedClientExchangeFilterFunction;
import org.springframework.security.oauth2.client.web.reactive.function.client.ServletOAuth2AuthorizedClientExchangeFilterFunction;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Services that only let in who has a token, to the second of its end, and whose warm-up
 * logs in by client credentials as Spring Security does.
 */
final class ResourceServers {

	/**
	 * Before its end a token is renewed; a minute, by default, is as long as these live.
	 */
	private static final Duration SKEW = Duration.ofSeconds(5);

	private ResourceServers() {
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Secret.class, Tokens.class })
	static class Reactive {

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.authorizeExchange((all) -> all.anyExchange().authenticated())
				.oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults()))
				.build();
		}

		@Bean
		ReactiveJwtDecoder decoder(@Value("${keys}") String keys) {
			NimbusReactiveJwtDecoder decoder = NimbusReactiveJwtDecoder.withJwkSetUri(keys).build();
			decoder.setJwtValidator(new JwtTimestampValidator(Duration.ZERO));
			return decoder;
		}

		@Bean
		@Order(1)
		WarmupClientCustomizer login(ReactiveClientRegistrationRepository registrations,
				ReactiveOAuth2AuthorizedClientService clients) {
			AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager manager = new AuthorizedClientServiceReactiveOAuth2AuthorizedClientManager(
					registrations, clients);
			manager.setAuthorizedClientProvider(ReactiveOAuth2AuthorizedClientProviderBuilder.builder()
				.clientCredentials((client) -> client.clockSkew(SKEW))
				.build());
			ServerOAuth2AuthorizedClientExchangeFilterFunction login = new ServerOAuth2AuthorizedClientExchangeFilterFunction(
					manager);
			login.setDefaultClientRegistrationId("warmup");
			return (builder) -> builder.filter(login);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Secret.class, Tokens.class })
	static class Servlet {

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http.authorizeHttpRequests((all) -> all.anyRequest().authenticated())
				.oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults()))
				.build();
		}

		@Bean
		JwtDecoder decoder(@Value("${keys}") String keys) {
			NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(keys).build();
			decoder.setJwtValidator(new JwtTimestampValidator(Duration.ZERO));
			return decoder;
		}

		@Bean
		@Order(1)
		WarmupClientCustomizer login(ClientRegistrationRepository registrations,
				OAuth2AuthorizedClientService clients) {
			AuthorizedClientServiceOAuth2AuthorizedClientManager manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(
					registrations, clients);
			manager.setAuthorizedClientProvider(OAuth2AuthorizedClientProviderBuilder.builder()
				.clientCredentials((client) -> client.clockSkew(SKEW))
				.build());
			ServletOAuth2AuthorizedClientExchangeFilterFunction login = new ServletOAuth2AuthorizedClientExchangeFilterFunction(
					manager);
			login.setDefaultClientRegistrationId("warmup");
			return (builder) -> builder.filter(login);
		}

	}

	@RestController
	static class Secret {

		@GetMapping("/secret")
		String secret() {
			return "secret";
		}

	}

	/** The tokens that warm-up was sent with, each once. */
	@Order(2)
	static final class Tokens implements WarmupClientCustomizer {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Override
		public void customize(WebClient.Builder builder) {
			builder.filter((request, next) -> Mono
				.fromRunnable(
						() -> this.seen.add(String.valueOf(request.headers().getFirst(HttpHeaders.AUTHORIZATION))))
				.then(next.exchange(request)));
		}

		List<String> seen() {
			return this.seen.stream().distinct().toList();
		}

	}

}
