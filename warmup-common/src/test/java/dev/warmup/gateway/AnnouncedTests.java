package dev.warmup.gateway;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.GatePosition;
import dev.warmup.protocol.Token;
import dev.warmup.registry.Registered;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway without a registry, to which instances announce themselves. */
class AnnouncedTests {

	private static final String TEXT = "0123456789abcdef0123456789abcdef";

	private static final Token.Secret SECRET = new Token.Secret(TEXT.getBytes(StandardCharsets.UTF_8));

	private static final TestGateway gateway = new TestGateway().withoutRegistry()
		.with("warmup.secret=" + TEXT, "spring.cloud.gateway.server.webflux.discovery.locator.enabled=true",
				"spring.cloud.loadbalancer.eager-load.clients[1]=bank")
		.route("shop", "lb://shop");

	@BeforeAll
	static void start() {
		gateway.start();
	}

	@AfterAll
	static void stop() {
		gateway.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT" })
	void usersReachWhoHasAnnouncedItselfOnceItsGateIsOpen(String method) {
		try (FakeService shop = new FakeService("shop", "shop-" + method)) {
			shop.warming(GatePosition.CLOSED);
			assertThat(announce(method, shop).statusCode()).isEqualTo(204);
			TestGateway.await(() -> shop.looks() > 0);
			assertThat(gateway.get("/shop/rooms", "X-Warmup", shop.claim()).body()).isEqualTo("shop-" + method);
			assertThat(gateway.get("/shop/rooms").statusCode()).isEqualTo(503);
			shop.warm();
			assertThat(announce("POST", shop).statusCode()).isEqualTo(204);
			assertThat(gateway.users(5, "/shop/rooms")).containsOnly("shop-" + method);
			shop.says((state) -> state.accepting = false);
			assertThat(announce("POST", shop).statusCode()).isEqualTo(204);
		}
	}

	@Test
	void routesOfDiscoveryAndOtherDiscoveryClientsHaveThem() {
		try (FakeService bank = new FakeService("bank", "bank-1")) {
			assertThat(announce("POST", bank).statusCode()).isEqualTo(204);
			TestGateway.await(() -> gateway.get("/bank/rooms").statusCode() == 200);
			StepVerifier.create(gateway.bean(ReactiveDiscoveryClient.class).getServices().filter("bank"::equals))
				.expectNext("bank")
				.thenCancel()
				.verify(Duration.ofSeconds(10));
		}
	}

	@Test
	void renewalsCauseNoLookAtWhoIsKnown() {
		try (FakeService shop = new FakeService("shop", "renewing")) {
			announce("POST", shop);
			int looks = shop.looks();
			for (int i = 0; i < 20; i++) {
				assertThat(announce("PUT", shop).statusCode()).isEqualTo(204);
			}
			assertThat(shop.looks() - looks).isLessThanOrEqualTo(1); // a regular one
		}
	}

	@Test
	void newsThatIsNotSignedOrTooLongIsRefusedWithASentence() {
		try (FakeService shop = new FakeService("shop", "stranger")) {
			byte[] body = body(shop.port());
			assertThat(gateway.send("POST", "/.warmup/instances/stranger").statusCode()).isEqualTo(403);
			String long1025 = " ".repeat(1025 - body.length) + new String(body, StandardCharsets.UTF_8);
			HttpResponse<String> tooLong = announce("POST", "stranger", long1025.getBytes(StandardCharsets.UTF_8));
			assertThat(tooLong.statusCode()).isEqualTo(403);
			assertThat(tooLong.body()).contains("not signed");
			assertThat(tooLong.headers().firstValue("Retry-After")).isEmpty();
			HttpResponse<String> name = announce("PUT", "stranger",
					"{\"service\":\"shop\",\"address\":\"http://localhost:8080\"}".getBytes(StandardCharsets.UTF_8));
			assertThat(name.statusCode()).isEqualTo(403);
			assertThat(name.body()).contains("must announce");
			assertThat(shop.looks()).isZero();
		}
	}

	@Test
	void whoKeepsRefusingOrCuttingConnectionsIsToldSoAndNotToTryAgain() throws IOException {
		try (FakeService gone = new FakeService("shop", "gone"); ServerSocket cutting = new ServerSocket(0)) {
			gone.stop();
			Thread cuts = new Thread(() -> cut(cutting));
			cuts.setDaemon(true);
			cuts.start();
			for (int port : List.of(gone.port(), cutting.getLocalPort())) {
				String id = "refuses-" + port;
				assertThat(announce("POST", id, body(port)).headers().firstValue("Retry-After")).hasValue("1");
				TestGateway.await(() -> announce("POST", id, body(port)).headers().firstValue("Retry-After").isEmpty());
				HttpResponse<String> answer = announce("POST", id, body(port));
				assertThat(answer.statusCode()).isEqualTo(502);
				assertThat(answer.body()).isEqualTo(
						"cannot reach 127.0.0.1:%d: NetworkPolicy, or a sidecar mesh with STRICT mTLS".formatted(port));
			}
		}
	}

	@Test
	void noUserIsSentWhereNoStateWasRead() {
		try (FakeService foreign = new FakeService("shop", "foreign").withoutLibrary()) {
			for (String method : List.of("PUT", "POST", "POST", "POST")) {
				announce(method, foreign);
				assertThat(gateway.get("/shop/rooms").statusCode()).isEqualTo(503);
			}
		}
	}

	@Test
	void forwardedHeadersChangeNothing() {
		try (TestGateway forwarded = new TestGateway().withoutRegistry()
			.with("warmup.secret=" + TEXT, "server.forward-headers-strategy=native")
			.start(); FakeService gone = new FakeService("shop", "gone")) {
			gone.stop();
			assertThat(send(forwarded, "PUT", "self", body(forwarded.address().getPort()), "X-Forwarded-Host",
					"127.0.0.1:1")
				.statusCode()).isEqualTo(403);
			assertThat(send(forwarded, "POST", "gone", body(gone.port()), "X-Forwarded-For", "unknown").statusCode())
				.isEqualTo(502);
		}
	}

	private static void cut(ServerSocket server) {
		try {
			while (true) {
				server.accept().close();
			}
		}
		catch (IOException ex) { // the test is over
			assertThat(server.isClosed()).isTrue();
		}
	}

	@Test
	void whereThereIsARegistryNothingIsAnnounced() {
		try (TestGateway other = new TestGateway().with("warmup.secret=" + TEXT).start();
				FakeService shop = new FakeService("shop", "shop-9")) {
			assertThat(send(other, "PUT", "shop-9", body(shop.port())).statusCode()).isEqualTo(404);
			assertThat(send(other, "POST", "shop-9", body(shop.port())).statusCode()).isEqualTo(404);
			other.registry().list(shop.registered(Registered.Status.UP));
			assertThat(other.news(shop.instance()).statusCode()).isEqualTo(204);
		}
	}

	private static HttpResponse<String> announce(String method, FakeService service) {
		return announce(method, service.instance().instanceId(),
				"{\"service\":\"%s\",\"address\":\"http://127.0.0.1:%d\"}"
					.formatted(service.instance().service(), service.port())
					.getBytes(StandardCharsets.UTF_8));
	}

	private static byte[] body(int port) {
		return "{\"service\":\"shop\",\"address\":\"http://127.0.0.1:%d\"}".formatted(port)
			.getBytes(StandardCharsets.UTF_8);
	}

	private static HttpResponse<String> announce(String method, String id, byte[] body) {
		return send(gateway, method, id, body);
	}

	private static HttpResponse<String> send(TestGateway to, String method, String id, byte[] body, String... headers) {
		String signature = Announcement.sign(SECRET, id, body, Clock.systemUTC().instant());
		return to.send(method, "/.warmup/instances/" + id, body,
				StringUtils.concatenateStringArrays(headers, new String[] { Announcement.SIGNATURE, signature }));
	}

}
