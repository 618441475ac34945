package dev.warmup.run;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.warmup.catalog.Catalog;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.WarmupClaim;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.test.StepVerifier;

/**
 * A replayer with one connection and counted buffers: a connection that is not given back
 * makes the next request fail, and a buffer that is not released is seen at the end.
 */
final class ReplayFixture implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofSeconds(30);

	static final WarmupClaim CLAIM = new WarmupClaim("host:1", Optional.of("a.token.of-tests"), "r-1");

	private final ConnectionProvider connections = ConnectionProvider.builder("test")
		.maxConnections(1)
		.pendingAcquireTimeout(PATIENCE)
		.build();

	private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);

	final Replayer replayer = new Replayer(
			HttpClient.create(this.connections).option(ChannelOption.ALLOCATOR, this.buffers));

	private final URI gateway;

	ReplayFixture(WireMockExtension gateway) {
		this.gateway = URI.create(gateway.baseUrl());
	}

	static Budget endless() {
		return Budget.start(Duration.ofHours(1), System::nanoTime);
	}

	/** An answer of the instance that claims. */
	static ResponseDefinitionBuilder proved(ResponseDefinitionBuilder answer) {
		return answer.withHeader(WarmupClaim.INSTANCE_HEADER, CLAIM.instanceId());
	}

	Session session(Catalog catalog, Budget budget) {
		return session(catalog, this.gateway, budget);
	}

	static Session session(Catalog catalog, URI gateway, Budget budget) {
		return new Session(catalog, gateway, () -> CLAIM, "chat-service", budget);
	}

	/** Replays the first scenario of a catalog once. */
	List<Outcome> replay(Catalog catalog) {
		return replay(catalog.scenarios().get(0), session(catalog, endless()));
	}

	List<Outcome> replay(Scenario scenario, Session session) {
		return this.replayer.replay(scenario, session).collectList().as(ReplayFixture::await);
	}

	private static List<Outcome> await(Mono<List<Outcome>> outcomes) {
		List<Outcome> result = new ArrayList<>();
		StepVerifier.create(outcomes).consumeNextWith(result::addAll).expectComplete().verify(PATIENCE);
		return List.copyOf(result);
	}

	/** What arrived, as {@code METHOD /path}, in order. */
	static List<String> received(WireMockExtension gateway) {
		return gateway.findAll(WireMock.anyRequestedFor(WireMock.anyUrl())).stream().map(ReplayFixture::line).toList();
	}

	private static String line(LoggedRequest request) {
		return request.getMethod() + " " + request.getUrl();
	}

	/** Closes all connections, and waits until every buffer is released. */
	@Override
	public void close() {
		StepVerifier.create(this.connections.disposeLater()).expectComplete().verify(PATIENCE);
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.buffers.metric().usedDirectMemory() + this.buffers.metric().usedHeapMemory() == 0);
	}

}
