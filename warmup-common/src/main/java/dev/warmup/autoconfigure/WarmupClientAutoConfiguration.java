package dev.warmup.autoconfigure;

import java.time.Duration;

import dev.warmup.protocol.WarmupToken;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.Replayer;
import dev.warmup.run.Reporter;
import dev.warmup.run.WebClientGatewayClient;
import dev.warmup.run.WebClientReplayer;
import dev.warmup.run.WebClientReporter;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of what a service sends to gateways
 * with; each bean but the client gives way to the application's own.
 */
@AutoConfiguration(after = WarmupAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupClientAutoConfiguration {

	/**
	 * Shorter than a usual server's, so that no request meets a connection being closed.
	 */
	private static final Duration IDLE_CONNECTION = Duration.ofSeconds(5);

	@Bean
	WarmupHttpClient warmupHttpClient() {
		ConnectionProvider connections = ConnectionProvider.builder("warmup").maxIdleTime(IDLE_CONNECTION).build();
		return new WarmupHttpClient(HttpClient.create(connections), connections);
	}

	@Bean
	@ConditionalOnMissingBean
	Replayer warmupReplayer(WarmupHttpClient client) {
		return new WebClientReplayer(client.http());
	}

	@Bean
	@ConditionalOnMissingBean
	Reporter warmupReporter(WarmupHttpClient client, WarmupToken token) {
		return new WebClientReporter(client.webClient(), token);
	}

	@Bean
	@ConditionalOnMissingBean
	GatewayClient warmupDoor(WarmupHttpClient client) {
		return new WebClientGatewayClient(client.webClient());
	}

	/**
	 * The client that all warm-up is sent with, apart from the application's own.
	 *
	 * @param http the client
	 * @param connections its pool, closed with the application
	 */
	record WarmupHttpClient(HttpClient http, ConnectionProvider connections) implements AutoCloseable {

		WebClient webClient() {
			return WebClient.builder().clientConnector(new ReactorClientHttpConnector(this.http)).build();
		}

		@Override
		public void close() {
			this.connections.dispose();
		}

	}

}
