package dev.warmup.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.InstanceState;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunAnswer;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.Token;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Registered;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

import org.springframework.cloud.client.DefaultServiceInstance;

/**
 * An instance on a port of its own, which answers with its id, and at
 * {@value InstanceState#PATH} with a state that a test sets. It proves warm-up as a
 * service does, fails at {@code /error}, and holds {@code /held}.
 */
final class FakeService implements AutoCloseable {

	/** Its own: an application that closes shuts those down that all share. */
	private final LoopResources loops = LoopResources.create("fake-service");

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private final Queue<Received> received = new ConcurrentLinkedQueue<>();

	private final Queue<String> looks = new ConcurrentLinkedQueue<>();

	private final Sinks.Empty<String> release = Sinks.empty();

	private final Instance instance;

	private final Token.Secret secret = Token.Secret.generate();

	private DisposableServer server;

	String id;

	String boot = "boot-1";

	Phase phase = Phase.WARM;

	GatePosition gate = GatePosition.OPEN;

	boolean accepting = true;

	boolean leaving;

	Optional<String> tokenHash = Optional.empty();

	Optional<RunRecord> run = Optional.empty();

	private volatile boolean library = true;

	private volatile Optional<RunAnswer> answer = Optional.empty();

	private volatile Duration delay = Duration.ZERO;

	FakeService(String service, String id) {
		this.instance = new Instance(service, id);
		this.id = id;
		this.server = bind(0);
	}

	private DisposableServer bind(int port) {
		return HttpServer.create()
			.runOn(this.loops)
			.channelGroup(this.connections)
			.host("localhost")
			.port(port)
			.handle(this::handle)
			.bindNow(Duration.ofSeconds(30));
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		if (request.path().equals(InstanceState.PATH.substring(1))) {
			return Mono.delay(this.delay).thenMany(Flux.defer(() -> state(request, response)));
		}
		this.received.add(new Received(request.uri(), request.requestHeaders().entries()));
		response.header("X-Warmup-Service", "forged").header("X-Warmup-Gateway", "forged");
		response.header("X-Warmup-Admission", "forged");
		response.header(WarmupHeader.INSTANCE, this.instance.instanceId());
		return switch (request.uri()) {
			case "/error" -> response.status(500).sendString(Mono.just(this.instance.instanceId()));
			case "/busy" -> response.status(429).header("Retry-After", "30").send();
			case "/held" -> response.sendString(this.release.asMono().defaultIfEmpty("held"));
			default -> response.sendString(Mono.just(this.instance.instanceId()));
		};
	}

	private Publisher<Void> state(HttpServerRequest request, HttpServerResponse response) {
		this.looks.add(request.uri());
		if (!this.library || !request.requestHeaders().contains(WarmupHeader.GATEWAY)) {
			return response.status(404).send();
		}
		Optional<RunAnswer> asked = request.uri().contains("wants=true") ? this.answer : Optional.empty();
		return response.header(HttpHeaderNames.CONTENT_TYPE, "application/json")
			.sendByteArray(Mono.just(state(asked).toJson()));
	}

	private synchronized InstanceState state(Optional<RunAnswer> asked) {
		return new InstanceState(this.id, this.instance.service(), this.boot, this.phase, this.gate, this.accepting,
				this.leaving, this.tokenHash, Set.of(), asked, this.run);
	}

	/** Sets what it says of itself from now on. */
	synchronized FakeService says(Consumer<FakeService> change) {
		change.accept(this);
		return this;
	}

	/** A run is under way, whose token {@link #claim} carries. */
	FakeService warming(GatePosition gate) {
		return says((state) -> {
			state.phase = Phase.WARMING;
			state.gate = gate;
			state.tokenHash = Optional.of(tokenHash());
			state.run = Optional.of(run("run-1", Optional.empty()));
		});
	}

	/** The run is over. */
	FakeService warm() {
		return says((state) -> {
			state.phase = Phase.WARM;
			state.gate = GatePosition.OPEN;
			state.tokenHash = Optional.empty();
			state.run = Optional.of(run("run-1", Optional.of(Verdict.WARM)));
		});
	}

	FakeService withoutLibrary() {
		this.library = false;
		return this;
	}

	FakeService answersWants(RunAnswer answered) {
		this.answer = Optional.of(answered);
		return this;
	}

	FakeService slow(Duration duration) {
		this.delay = duration;
		return this;
	}

	/** The header of its warm-up requests. */
	String claim() {
		return new WarmupHeader(this.instance.instanceId(), this.secret.forGateway(TestGateway.ID)).format();
	}

	String tokenHash() {
		return this.secret.forGateway(TestGateway.ID).hash();
	}

	Instance instance() {
		return this.instance;
	}

	int port() {
		return this.server.port();
	}

	Registered registered(Registered.Status status) {
		return registered(status, Map.of(Registered.METADATA_KEY, "service"));
	}

	Registered registered(Registered.Status status, Map<String, String> metadata) {
		return new Registered(this.instance, new DefaultServiceInstance(this.instance.instanceId(),
				this.instance.service(), "localhost", port(), false, metadata), status);
	}

	/** The requests since the last call, without looks. */
	List<Received> drain() {
		List<Received> drained = List.copyOf(this.received);
		this.received.clear();
		return drained;
	}

	int looks() {
		return this.looks.size();
	}

	void release() {
		this.release.tryEmitEmpty();
	}

	/** As a process that is killed: its connections are cut. */
	void stop() {
		this.connections.close().syncUninterruptibly();
		this.server.disposeNow(Duration.ofSeconds(30));
	}

	/** Listens again, at the same port. */
	void restart() {
		this.server = bind(port());
	}

	@Override
	public void close() {
		release();
		stop();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block(Duration.ofSeconds(30));
	}

	/** A run through the gateway of the tests, of which everything was answered. */
	static RunRecord run(String id, Optional<Verdict> verdict) {
		return run(id, verdict, Trigger.STARTUP, TestGateway.ID);
	}

	static RunRecord run(String id, Optional<Verdict> verdict, Trigger trigger, String gateway) {
		return new RunRecord(id, trigger, verdict, List.of(gateway), Instant.EPOCH, Duration.ofSeconds(10), 412, 0,
				Optional.of(Duration.ofMillis(900)), Optional.of(Duration.ofNanos(7_500_000)),
				Optional.of(Duration.ofMillis(9)), true, Optional.of(120.0), Duration.ofSeconds(2), 1900,
				Duration.ofSeconds(9), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
	}

	/** A request, with its headers as they arrived. */
	record Received(String uri, List<Map.Entry<String, String>> headers) {

		String header(String name) {
			return this.headers.stream()
				.filter((header) -> header.getKey().equalsIgnoreCase(name))
				.map(Map.Entry::getValue)
				.findFirst()
				.orElse("");
		}

		/** The names of the library's headers in it. */
		List<String> warmupHeaders() {
			return this.headers.stream()
				.map(Map.Entry::getKey)
				.filter((name) -> name.regionMatches(true, 0, "X-Warmup", 0, 8))
				.toList();
		}

	}

}
