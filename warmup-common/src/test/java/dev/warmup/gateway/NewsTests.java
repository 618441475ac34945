package dev.warmup.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.WarmupHeader;
import dev.warmup.registry.Registered;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** News of instances, and every other way to spell the library's paths. */
class NewsTests {

	private static final FakeService shop = new FakeService("shop", "host:shop:8080");

	private static final TestGateway gateway = new TestGateway().with(
			"spring.cloud.gateway.server.webflux.routes[0].id=all",
			"spring.cloud.gateway.server.webflux.routes[0].uri=http://localhost:" + shop.port(),
			"spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/**");

	@BeforeAll
	static void start() {
		gateway.start();
		gateway.registry().list(shop.registered(Registered.Status.UP));
	}

	@AfterAll
	static void stop() {
		gateway.close();
		shop.close();
	}

	@Test
	void newsIsAnsweredAfterALookThatBeganLater() {
		shop.says((state) -> state.gate = GatePosition.CLOSED);
		HttpResponse<String> answer = gateway.send("POST", "/.warmup/instances/host%3Ashop%3A8080");
		assertThat(answer.statusCode()).isEqualTo(204);
		assertThat(answer.headers().firstValue(WarmupHeader.GATEWAY)).hasValue(TestGateway.ID);
		assertThat(gateway.fleet().entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.gate()).isEqualTo(GatePosition.CLOSED));
		shop.says((state) -> state.gate = GatePosition.OPEN);
		assertThat(gateway.news(shop.instance()).statusCode()).isEqualTo(204);
		assertThat(gateway.fleet().entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.gate()).isEqualTo(GatePosition.OPEN));
	}

	@Test
	void whomTheRegistryDoesNotKnowIsNotLookedFor() {
		HttpResponse<String> answer = gateway.send("POST", "/.warmup/instances/nobody");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
	}

	@Test
	void anInstanceThatDoesNotAnswerWhereItIsRegisteredIsToldSo() {
		try (FakeService gone = new FakeService("shop", "gone")) {
			gateway.registry().register(gone.registered(Registered.Status.STARTING));
			gone.stop();
			HttpResponse<String> answer = gateway.news(gone.instance());
			assertThat(answer.statusCode()).isEqualTo(502);
			assertThat(answer.body()).startsWith("cannot reach localhost:" + gone.port());
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1"); // may
																					// be
																					// outdated
			gateway.registry().remove(gone.instance());
		}
	}

	@Test
	void anInstanceThatHasMovedIsFoundByAFreshReadOfTheRegistry() {
		try (FakeService before = new FakeService("shop", "moving");
				FakeService after = new FakeService("shop", "moving")) {
			gateway.registry().list(before.registered(Registered.Status.UP));
			before.stop();
			gateway.registry().register(after.registered(Registered.Status.STARTING));
			assertThat(gateway.news(after.instance()).statusCode()).isEqualTo(204);
			assertThat(after.looks()).isPositive();
			gateway.registry().remove(after.instance());
		}
	}

	@Test
	void aFloodOfNewsCausesTenLooksASecondAtMost() {
		int before = shop.looks();
		long begin = System.nanoTime();
		List<CompletableFuture<Integer>> answers = IntStream.range(0, 200)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> gateway.news(shop.instance()).statusCode()))
			.toList();
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.join()).isEqualTo(204));
		long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds() + 1;
		assertThat(shop.looks() - before).isLessThanOrEqualTo((int) (10 * (seconds + 1)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/.warmup/instances/host:shop:8080/", "/.warmup/instances//host:shop:8080",
			"//.warmup/instances/host:shop:8080", "/.warmup/instances/host:shop:8080;a=b",
			"/./.warmup/instances/host:shop:8080", "/x/../.warmup/instances/host:shop:8080",
			"/.warmup/instances/host:shop:8080?x", "/.warmup/instances/", "/.warmup/instances/..", "/.warmup",
			"/.warmup/ready", "/shop/.warmup/state" })
	void noOtherPathOfTheLibraryLooksOrIsRouted(String path) throws IOException {
		int looks = shop.looks();
		shop.drain();
		assertThat(raw("POST " + path)).startsWith("HTTP/1.1 404");
		assertThat(raw("GET " + path)).startsWith("HTTP/1.1 404");
		assertThat(shop.drain()).isEmpty();
		assertThat(shop.looks() - looks).isLessThanOrEqualTo(1); // a regular one
	}

	@ParameterizedTest
	@ValueSource(strings = { "/.warmup;a=b/instances/host:shop:8080", "/.WARMUP/instances/host:shop:8080",
			"/%2ewarmup/instances/host:shop:8080", "/%252ewarmup/instances/host:shop:8080",
			"/x%2f..%2f.warmup/instances/host:shop:8080", "/.warmup%2finstances%2fhost:shop:8080",
			"/.warmup%5cinstances/host:shop:8080", "/shop/%2ewarmup/state?gateway=x" })
	void noOtherSpellingLooksOrIsRoutedWithTheHeaderThatReadsAState(String path) throws IOException {
		int looks = shop.looks();
		shop.drain();
		for (String method : List.of("POST ", "GET ")) {
			assertThat(raw(method + path, WarmupHeader.GATEWAY + ": x\r\n")).startsWith("HTTP/1.1 200");
		}
		assertThat(shop.drain()).hasSize(2).allSatisfy((request) -> assertThat(request.warmupHeaders()).isEmpty());
		assertThat(shop.looks() - looks).isLessThanOrEqualTo(1); // a regular one
	}

	@Test
	void everythingElseIsRouted() throws IOException {
		assertThat(raw("GET /users/.warmup@mail/100%25/a%2fb")).startsWith("HTTP/1.1 200");
		assertThat(shop.drain()).hasSize(1);
	}

	@Test
	void whereWarmupIsOffHeadersAreRemovedAndPathsAreClosed() {
		try (TestGateway off = new TestGateway().with("warmup.enabled=false")
			.route("shop", "http://localhost:" + shop.port())
			.start()) {
			off.registry().list(shop.registered(Registered.Status.UP));
			assertThat(off.news(shop.instance()).statusCode()).isEqualTo(404);
			assertThat(off.get("/.warmup/state", WarmupHeader.GATEWAY, "x").statusCode()).isEqualTo(404);
			shop.drain();
			shop.warming(GatePosition.OPEN);
			assertThat(off.get("/shop/rooms", "X-Warmup", shop.claim(), WarmupHeader.GATEWAY, "x").statusCode())
				.isEqualTo(200);
			assertThat(shop.drain()).singleElement()
				.satisfies((request) -> assertThat(request.warmupHeaders()).isEmpty());
		}
	}

	/** Sends a request as it is, without any client's normalization. */
	private static String raw(String line, String... headers) throws IOException {
		try (Socket socket = new Socket("localhost", gateway.address().getPort())) {
			String request = line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n"
					+ String.join("", headers) + "\r\n";
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			InputStream answer = socket.getInputStream();
			return new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

}
