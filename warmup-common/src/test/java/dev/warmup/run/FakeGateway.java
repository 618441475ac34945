package dev.warmup.run;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.warmup.Gateway;
import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.WarmupHeader;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** A gateway over real HTTP that looks at nobody, and the service behind it. */
final class FakeGateway implements AutoCloseable {

	static final Instance SELF = new Instance("chat-service", "host:8080");

	final String id;

	/** Every request but news: method, path and query. */
	final List<String> requests = new CopyOnWriteArrayList<>();

	final List<WarmupHeader> marks = new CopyOnWriteArrayList<>();

	/** Announcements, the method and the signature of each before its body. */
	final List<String> announcements = new CopyOnWriteArrayList<>();

	/** What requests but news log in with, if anything. */
	final List<String> logins = new CopyOnWriteArrayList<>();

	/** The paths of news. */
	final List<String> news = new CopyOnWriteArrayList<>();

	volatile Supplier<Answer> onNews = () -> gatewaysOwn(204);

	/** By default the instance answers everything with 200. */
	volatile Function<String, Answer> script = (request) -> own(200, "");

	private final DisposableServer server;

	FakeGateway(String id) {
		this.id = id;
		this.server = HttpServer.create().port(0).handle(this::handle).bindNow();
	}

	Gateway gateway() {
		return new Gateway(this.id, URI.create("http://localhost:" + this.server.port()));
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return request.receive()
			.aggregate()
			.asString()
			.doOnNext((body) -> this.announcements.add(
					"%s %s %s".formatted(request.method(), request.requestHeaders().get(Announcement.SIGNATURE), body)))
			.then(Mono.defer(() -> answer(request, response)));
	}

	private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response) {
		Answer answer;
		if (request.uri().startsWith("/.warmup/instances/")) {
			this.news.add(request.uri());
			answer = this.onNews.get();
		}
		else {
			String line = request.method().name() + " " + request.uri();
			this.requests.add(line);
			Optional.ofNullable(request.requestHeaders().get(WarmupHeader.NAME))
				.flatMap((mark) -> WarmupHeader.parse(List.of(mark)))
				.ifPresent(this.marks::add);
			Optional.ofNullable(request.requestHeaders().get("Authorization", request.requestHeaders().get("X-Login")))
				.ifPresent(this.logins::add);
			answer = this.script.apply(line);
		}
		response.status(answer.status());
		answer.headers().forEach(response::header);
		Mono<Void> sent = response.sendByteArray(Mono.just(answer.body())).then();
		return answer.delay().isZero() ? sent : Mono.delay(answer.delay()).then(sent);
	}

	/** Of the instance, with its proof. */
	Answer own(int status, String body) {
		return routed(SELF.service(), status, body).with(WarmupHeader.INSTANCE, SELF.instanceId());
	}

	/** Behind a route to a service, without a proof. */
	Answer routed(String service, int status, String body) {
		return gatewaysOwn(status).with(WarmupHeader.SERVICE, service)
			.with("Content-Type", "application/json")
			.withBody(body.getBytes(StandardCharsets.UTF_8));
	}

	/** What the gateway itself answers. */
	Answer gatewaysOwn(int status) {
		return new Answer(status, Map.of(WarmupHeader.GATEWAY, this.id), new byte[0], Duration.ZERO);
	}

	@Override
	public void close() {
		this.server.disposeNow();
	}

	/** A response. */
	record Answer(int status, Map<String, String> headers, byte[] body, Duration delay) {

		static Answer plain(int status) {
			return new Answer(status, Map.of(), new byte[0], Duration.ZERO);
		}

		Answer with(String name, String value) {
			Map<String, String> all = new java.util.HashMap<>(this.headers);
			all.put(name, value);
			return new Answer(this.status, all, this.body, this.delay);
		}

		Answer withBody(byte[] bytes) {
			return new Answer(this.status, this.headers, bytes, this.delay);
		}

		Answer after(Duration time) {
			return new Answer(this.status, this.headers, this.body, time);
		}

	}

}
