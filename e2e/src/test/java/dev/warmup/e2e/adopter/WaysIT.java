package dev.warmup.e2e.adopter;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import dev.warmup.bench.stack.Answer;
import jakarta.servlet.http.HttpServletRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Promises 1 and 4, whatever way leads to an application: mutual TLS with the registry,
 * the gateway and a service, HTTP/2, Spring Security in front of everything, management
 * ports, a base path and a context path, a proxy in front with forwarded headers, and a
 * service that has only an IPv6 address, through a gateway that has both.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@ResourceLock(RunningApplication.LOCK)
@ExtendWith(OutputCaptureExtension.class)
class WaysIT {

	private static final Duration SOON = Duration.ofSeconds(90);

	private static final boolean HAS_IPV6 = hasIpv6();

	/** Where the prices listen, and as which they register. */
	private static final String ADDRESS = HAS_IPV6 ? "::1" : "127.0.0.1";

	/** The same as a host in a URL, as which the gateway registers. */
	private static final String LOOPBACK = HAS_IPV6 ? "[::1]" : "127.0.0.1";

	private static final String ORDER = "/orders/1";

	private static final String PRICE = "/prices/quotes/EUR";

	private static final String[] SIGNED_IN = { "Authorization",
			"Basic " + Base64.getEncoder().encodeToString("user:a-users-password".getBytes(StandardCharsets.UTF_8)) };

	/** As a proxy passes on, whose users know the gateway by another name. */
	private static final String[] FORWARDED = { "Authorization", SIGNED_IN[1], "X-Forwarded-For", "203.0.113.7",
			"X-Forwarded-Proto", "https", "X-Forwarded-Host", "shop.example.org" };

	/** What users got until they got 200, by path. */
	private static final Map<String, Set<Integer>> REFUSALS = Map.of(ORDER, new TreeSet<>(), PRICE, new TreeSet<>());

	/** Whether the gate was open when the first user had got 200, by path. */
	private static final Map<String, Boolean> OPEN = new HashMap<>();

	@TempDir
	private static Path folder;

	private static SslBundle keys;

	private static HttpClient users;

	private static RunningApplication registry;

	private static RunningApplication gateway;

	private static RunningApplication shop;

	private static RunningApplication prices;

	private static boolean hasIpv6() {
		try {
			return NetworkInterface.networkInterfaces()
				.flatMap(NetworkInterface::inetAddresses)
				.anyMatch((address) -> address.isLoopbackAddress() && address instanceof Inet6Address);
		}
		catch (SocketException ex) {
			return false;
		}
	}

	@BeforeAll
	static void warm() throws Exception {
		createKeys();
		registry = RunningApplication.plainServletService(Applications.Registry.class,
				both(both(bundle(), server()), "warmup.enabled=false", "spring.application.name=registry",
						"eureka.client.register-with-eureka=false", "eureka.client.fetch-registry=false",
						"eureka.server.wait-time-in-ms-when-sync-empty=0",
						"eureka.server.use-read-only-response-cache=false"));
		keys = registry.bean(SslBundles.class).getBundle("internal");
		users = HttpClient.newBuilder().sslContext(keys.createSslContext()).build();
		gateway = RunningApplication.securedGateway(Edge.class, both(client("edge", LOOPBACK), gatewaysOwn()));
		CompletableFuture<RunningApplication> shopStart = CompletableFuture
			.supplyAsync(() -> RunningApplication.securedServletService(Shop.class,
					both(service("shop", "localhost"), both(secured(), "server.servlet.context-path=/shop"))));
		// One after the other: both would set up the same Logback.
		CompletableFuture<RunningApplication> pricesStart = shopStart.thenApplyAsync((started) -> RunningApplication
			.reactiveService(Applications.Quotes.class, both(service("prices", ADDRESS), "server.address=" + ADDRESS)));
		List<String> waiting = new ArrayList<>(REFUSALS.keySet());
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(50)).until(() -> {
			for (String path : List.copyOf(waiting)) {
				int status = fromUser(path, FORWARDED).status();
				if (status != 200) {
					REFUSALS.get(path).add(status);
				}
				else {
					RunningApplication service = (path.equals(ORDER) ? shopStart : pricesStart).join();
					OPEN.put(path, get(ready(service, path)).status() == 200);
					waiting.remove(path);
				}
			}
			return waiting.isEmpty();
		});
		shop = shopStart.join();
		prices = pricesStart.join();
	}

	/** One self-signed certificate, which all parts have, and trust. */
	private static void createKeys() throws Exception {
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-keyalg", "EC", "-dname", "CN=internal", "-ext",
				"san=dns:localhost,ip:127.0.0.1,ip:::1", "-keystore", store(), "-storetype", "PKCS12", "-storepass",
				"changeit")
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance(new File(store()), "changeit".toCharArray());
		store.setCertificateEntry("trusted", store.getCertificate("mykey"));
		try (OutputStream file = new FileOutputStream(store())) {
			store.store(file, "changeit".toCharArray());
		}
	}

	private static String store() {
		return folder.resolve("keys.p12").toString();
	}

	private static String[] both(String[] some, String... more) {
		return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
	}

	private static String[] bundle() {
		String bundle = "spring.ssl.bundle.jks.internal.";
		return new String[] { bundle + "keystore.location=file:" + store(), bundle + "keystore.password=changeit",
				bundle + "truststore.location=file:" + store(), bundle + "truststore.password=changeit" };
	}

	private static String[] server() {
		return new String[] { "server.ssl.bundle=internal", "server.ssl.client-auth=need" };
	}

	/** What the gateway and a service have in common that are as closed as can be. */
	private static String[] secured() {
		return both(server(), "server.http2.enabled=true", "server.forward-headers-strategy=framework",
				"management.server.port=0", "management.server.ssl.enabled=false",
				"eureka.instance.secure-port-enabled=true", "eureka.instance.non-secure-port-enabled=false",
				"spring.security.user.name=user", "spring.security.user.password=a-users-password");
	}

	private static String[] gatewaysOwn() {
		String server = "spring.cloud.gateway.server.webflux.";
		return both(secured(), "spring.webflux.base-path=/api", server + "httpclient.ssl.ssl-bundle=internal",
				server + "trusted-proxies=.*", server + "forwarded.enabled=false", server + "routes[0].id=shop",
				server + "routes[0].uri=lb://shop", server + "routes[0].predicates[0]=Path=/orders/{id}",
				server + "routes[0].filters[0]=SetPath=/shop/orders/{id}", server + "routes[1].id=prices",
				server + "routes[1].uri=lb://prices", server + "routes[1].predicates[0]=Path=/prices/**",
				server + "routes[1].filters[0]=StripPrefix=2");
	}

	private static String[] service(String name, String host) {
		return both(client(name, host), "spring.http.clients.ssl.bundle=internal",
				"warmup.catalog=classpath:dev/warmup/e2e/adopter/warmup-requests.yml",
				"warmup.startup.min-repetitions=10", "warmup.steady.tolerance=1000", "warmup.steady.window=5");
	}

	private static String[] client(String name, String host) {
		return both(bundle(), "spring.application.name=" + name, "eureka.instance.instance-id=" + name + "-1",
				"eureka.instance.hostname=" + host,
				"eureka.client.service-url.defaultZone=https://localhost:" + registry.port() + "/eureka/",
				"eureka.client.tls.enabled=true", "eureka.client.tls.key-store=file:" + store(),
				"eureka.client.tls.key-store-password=changeit", "eureka.client.tls.key-password=changeit",
				"eureka.client.tls.trust-store=file:" + store(), "eureka.client.tls.trust-store-password=changeit",
				"eureka.client.jersey.enabled=false", "spring.cloud.loadbalancer.cache.enabled=false",
				"eureka.client.registry-fetch-interval-seconds=3",
				"eureka.client.initial-instance-info-replication-interval-seconds=0");
	}

	@AfterAll
	static void stop() {
		// at once: each of Eureka's clients takes three seconds
		CompletableFuture
			.allOf(Stream.of(prices, shop, gateway)
				.map((each) -> CompletableFuture.runAsync(each::close))
				.toArray(CompletableFuture[]::new))
			.join();
		registry.close();
	}

	private static Answer fromUser(String path, String... headers) {
		return get("https://localhost:" + gateway.port() + "/api" + path, headers);
	}

	private static Answer get(String url, String... headers) {
		return Answer.send(users, request(url, headers));
	}

	private static HttpRequest.Builder request(String url, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	private static String ready(RunningApplication service, String path) {
		return path.equals(ORDER) ? "https://localhost:" + service.port() + "/shop/.warmup/ready"
				: "http://" + LOOPBACK + ":" + service.port() + "/.warmup/ready";
	}

	private static String management(RunningApplication application) {
		return "http://localhost:" + application.managementPort() + "/actuator/";
	}

	@ParameterizedTest
	@ValueSource(strings = { "shop", "prices" })
	void serviceIsWarmedThroughTheGateway(String name, CapturedOutput output) {
		String endpoint = name.equals("shop") ? management(shop) + "warmup"
				: "http://" + LOOPBACK + ":" + prices.port() + "/actuator/warmup";
		Awaitility.await().atMost(SOON).untilAsserted(() -> {
			JsonNode run = JsonMapper.shared().readTree(get(endpoint, SIGNED_IN).body()).at("/runs/0");
			assertThat(run.path("verdict").asString()).isEqualTo("WARM");
			assertThat(run.path("gateways").toString()).contains("edge-1");
			assertThat(run.path("failed").asLong()).isZero();
		});
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(output.getOut()).contains("%1$s/%1$s-1 WARM startup:".formatted(name)));
	}

	@ParameterizedTest
	@ValueSource(strings = { ORDER, PRICE })
	void noUserIsServedBeforeTheGateIsOpen(String path) {
		assertThat(OPEN).containsEntry(path, true);
		assertThat(REFUSALS.get(path)).containsExactly(503);
	}

	@Test
	void gatewayIsReadyBelowItsBasePath() {
		Awaitility.await()
			.atMost(SOON)
			.until(() -> get("https://localhost:" + gateway.port() + "/api/.warmup/ready").status() == 200);
	}

	@Test
	void usersSpeakHttp2AndTheServiceKnowsWhatTheProxyForwards() throws Exception {
		String url = "https://localhost:" + gateway.port() + "/api" + ORDER;
		HttpResponse<String> response = users.send(request(url, FORWARDED).build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
		JsonNode order = JsonMapper.shared().readTree(response.body());
		assertThat(order.path("protocol").asString()).isEqualTo("HTTP/2.0");
		assertThat(order.path("host").asString()).isEqualTo("shop.example.org");
	}

	@Test
	void securityStaysInForceForUsers() throws Exception {
		assertThat(fromUser(ORDER).status()).isEqualTo(401);
		assertThat(get("https://localhost:" + shop.port() + "/shop/orders/1").status()).isEqualTo(401);
		SSLContext strangers = SSLContext.getInstance("TLS");
		strangers.init(null, keys.getManagers().getTrustManagers(), null);
		HttpClient stranger = HttpClient.newBuilder().sslContext(strangers).build();
		String url = "https://localhost:" + gateway.port() + "/api" + ORDER;
		assertThat(Answer.send(stranger, request(url, SIGNED_IN)).status()).as("no connection").isZero();
	}

	@Test
	void managementPortAloneHasTheActuatorAndProbesNeedNoLogin() {
		assertThat(get("https://localhost:" + shop.port() + "/shop/actuator/health", SIGNED_IN).status())
			.isEqualTo(404);
		for (RunningApplication application : List.of(shop, gateway)) {
			assertThat(get(management(application) + "warmup").status()).isEqualTo(401);
			Awaitility.await()
				.atMost(SOON)
				.until(() -> get(management(application) + "health/readiness").status() == 200);
		}
		assertThat(get("https://localhost:" + shop.port() + "/shop/.warmup/ready").status()).isEqualTo(200);
	}

	@Test
	void gatewayWithBothFamiliesTakesUsersOfBothToAServiceThatHasOnlyIpv6() {
		Assumptions.assumeTrue(HAS_IPV6);
		for (String host : List.of("127.0.0.1", "[::1]")) {
			Answer answer = get("https://" + host + ":" + gateway.port() + "/api" + PRICE, SIGNED_IN);
			assertThat(answer.status()).as(host).isEqualTo(200);
		}
	}

	/** A gateway that serves nothing but health without a login. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Edge {

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.authorizeExchange((
					requests) -> requests.pathMatchers("/actuator/health/**").permitAll().anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		PasswordEncoder passwords() {
			return new PlainPasswords();
		}

	}

	/** A service likewise. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		SecurityFilterChain security(HttpSecurity http) {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/health/**")
					.permitAll()
					.anyRequest()
					.authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		PasswordEncoder passwords() {
			return new PlainPasswords();
		}

		/** Found as a member of the application's class. */
		@RestController
		static class Controller {

			@GetMapping("/orders/1")
			Map<String, String> order(HttpServletRequest request) {
				return Map.of("protocol", request.getProtocol(), "host", request.getServerName());
			}

		}

	}

}
