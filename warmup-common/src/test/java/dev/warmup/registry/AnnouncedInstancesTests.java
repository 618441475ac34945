package dev.warmup.registry;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.warmup.MutableClock;
import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** What a gateway believes of announcements. */
class AnnouncedInstancesTests {

	private static final InetSocketAddress GATEWAY = new InetSocketAddress("10.0.0.1", 8000);

	private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 8000);

	private static final String ID = "1@orders-1";

	private final Token.Secret secret = Token.Secret.generate();

	private final MutableClock clock = new MutableClock();

	private final MutableClock timeOfDay = new MutableClock();

	private final AnnouncedInstances announced = new AnnouncedInstances(this.secret, this.clock, this.timeOfDay);

	@ParameterizedTest
	@CsvSource({ "http://10.0.3.7:8080, http://10.0.3.7:8080", "https://10.0.3.7:8443/shop, https://10.0.3.7:8443/shop",
			"http://10.0.0.1:8080, http://10.0.0.1:8080", "http://[2001:db8::7]:80/a/b, http://[2001:db8::7]:80/a/b",
			"http://[::ffff:10.0.3.7]:8080, http://10.0.3.7:8080" })
	void anInstanceIsKnownWhereItAnnouncesItself(String address, URI base) {
		assertThat(announce("orders", address, GATEWAY)).isEmpty();
		assertThat(this.announced.known(ID)).hasValueSatisfying((registered) -> {
			assertThat(registered.base()).isEqualTo(base);
			assertThat(registered.instance().service()).isEqualTo("orders");
			assertThat(registered.status()).isEqualTo(Registered.Status.ANNOUNCED);
			assertThat(registered.hasLibrary()).isTrue();
			assertThat(registered.isGateway()).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://127.0.0.1:8080", "http://127.8.8.8:8080", "http://[::1]:8080",
			"http://[::ffff:127.0.0.1]:8080", "http://[::ffff:7f00:1]:8080", "http://169.254.169.254:80",
			"http://[::ffff:169.254.169.254]:80", "http://[::ffff:a9fe:a9fe]:80", "http://169.254.1.1:8080",
			"http://[fe80::1]:8080", "http://[fe80::1%25eth0]:8080", "http://[2001:db8::7%25eth0]:8080",
			"http://224.0.0.1:8080", "http://[ff02::1]:8080", "http://0.0.0.0:8080", "http://[::]:8080",
			"http://10.0.0.1:8000", "http://[::ffff:10.0.0.1]:8000", "http://orders:8080", "http://localhost:8080",
			"http://metadata.google.internal:80", "http://167772935:8080", "http://0x0a000307:8080",
			"http://10.0.775:8080", "http://10.0.3.7.nip.io:8080", "http://user@10.0.3.7:8080",
			"http://10.0.3.7:8080/?a", "http://10.0.3.7:8080/#a", "http://10.0.3.7:8080/..",
			"http://10.0.3.7:8080/a/../b", "http://10.0.3.7:8080/%2e%2e", "http://10.0.3.7:8080/.warmup",
			"http://10.0.3.7:8080/a;b", "http://10.0.3.7", "http://10.0.3.7:0", "http://10.0.3.7:65536",
			"ftp://10.0.3.7:8080", "10.0.3.7:8080", "" })
	void noOtherAddressIsLookedAt(String address) {
		assertThat(announce("orders", address, GATEWAY)).contains("http://10.0.3.7:8080/path");
		assertThat(this.announced.instances()).isEmpty();
	}

	@Test
	void loopbackIsForGatewaysThatListenThereAndNeverTheGatewayItself() {
		assertThat(announce("orders", "http://127.0.0.1:8080", LOOPBACK)).isEmpty();
		assertThat(announce("orders", "http://127.0.0.1:8000", LOOPBACK)).isNotEmpty();
		assertThat(announce("orders", "http://[::1]:8000", LOOPBACK)).isNotEmpty();
		assertThat(announce("orders", "http://127.0.0.2:8000", LOOPBACK)).isNotEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "[]", "{}", "{\"service\":\"orders\"}", "{\"address\":\"http://10.0.3.7:8080\"}",
			"{\"service\":\"a\\nb\",\"address\":\"http://10.0.3.7:8080\"}",
			"{\"service\":\"\",\"address\":\"http://10.0.3.7:8080\"}", "{\"service\":1,\"address\":{}}", "" })
	void whatIsNoAnnouncementIsRefused(String json) {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		assertThat(this.announced.announce(ID, body, sign(body), GATEWAY)).contains("must announce");
		assertThat(this.announced.instances()).isEmpty();
	}

	@Test
	void onlyTheSecretSignsAndForThatInstanceAndBodyAlone() {
		byte[] body = body("orders", "http://10.0.3.7:8080");
		String another = Announcement.sign(Token.Secret.generate(), ID, body, this.timeOfDay.instant());
		for (String signature : new String[] { null, "", another, sign(body("orders", "http://10.0.3.8:8080")) }) {
			assertThat(this.announced.announce(ID, body, signature, GATEWAY)).contains("warmup.secret");
		}
		assertThat(this.announced.announce("another", body, sign(body), GATEWAY)).contains("warmup.secret");
		assertThat(this.announced.instances()).isEmpty();
	}

	@Test
	void anAnnouncementCannotBeReplayedAfterTwoMinutesAndClocksMayDifferByOne() {
		byte[] body = body("orders", "http://10.0.3.7:8080");
		String signature = sign(body);
		this.timeOfDay.advance(Duration.ofMinutes(1));
		assertThat(this.announced.announce(ID, body, signature, GATEWAY)).isEmpty();
		this.timeOfDay.advance(Duration.ofMinutes(-2));
		assertThat(this.announced.announce(ID, body, signature, GATEWAY)).isEmpty();
		this.timeOfDay.advance(Duration.ofMinutes(3));
		assertThat(this.announced.announce(ID, body, signature, GATEWAY)).contains("clocks");
	}

	@Test
	void anInstanceIsForgottenThatNeitherAnswersNorAnnouncesItselfForHalfAMinute() {
		announce("orders", "http://10.0.3.7:8080", GATEWAY);
		this.clock.advance(Duration.ofSeconds(20));
		announce("orders", "http://10.0.3.7:8080", GATEWAY);
		this.clock.advance(Duration.ofSeconds(29));
		this.announced.gone(ID);
		assertThat(this.announced.read(ID).blockOptional().orElseThrow()).isPresent();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.announced.known(ID)).isPresent();
		this.announced.gone(ID);
		assertThat(this.announced.known(ID)).isEmpty();
		assertThat(this.announced.read(ID).blockOptional().orElseThrow()).isEmpty();
	}

	@Test
	void theNewestAddressOfAnInstanceCounts() {
		announce("orders", "http://10.0.3.7:8080", GATEWAY);
		announce("orders", "http://10.0.3.8:8080", GATEWAY);
		assertThat(this.announced.instances()).singleElement()
			.satisfies((registered) -> assertThat(registered.base()).isEqualTo(URI.create("http://10.0.3.8:8080")));
	}

	@Test
	void everyInstanceHasAnnouncedItselfAFewSecondsAfterTheFirst() {
		this.clock.advance(Duration.ofMinutes(1));
		announce("orders", "http://10.0.3.7:8080", GATEWAY);
		this.clock.advance(Duration.ofSeconds(14));
		announce("orders", "http://10.0.3.7:8080", GATEWAY);
		assertThat(this.announced.isRead()).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.announced.isRead()).isTrue();
	}

	@Test
	void discoveryHasThemBehindAnyOther() {
		announce("Orders", "http://10.0.3.7:8080", GATEWAY);
		StepVerifier.create(this.announced.getServices()).expectNext("orders").verifyComplete();
		StepVerifier.create(this.announced.getInstances("ORDERS").map(ServiceInstance::getUri))
			.expectNext(URI.create("http://10.0.3.7:8080"))
			.verifyComplete();
		StepVerifier.create(this.announced.getInstances("shop")).verifyComplete();
		assertThat(this.announced.getOrder()).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void aFloodOfInstancesIsBounded() {
		byte[] body = body("orders", "http://10.0.3.7:8080");
		for (int i = 0; i < 10_000; i++) {
			String id = "i" + i;
			String signature = Announcement.sign(this.secret, id, body, this.timeOfDay.instant());
			assertThat(this.announced.announce(id, body, signature, GATEWAY)).isEmpty();
		}
		assertThat(announce("orders", "http://10.0.3.7:8080", GATEWAY)).contains("too many");
		String again = Announcement.sign(this.secret, "i7", body, this.timeOfDay.instant());
		assertThat(this.announced.announce("i7", body, again, GATEWAY)).isEmpty();
	}

	private String announce(String service, String address, InetSocketAddress gateway) {
		byte[] body = body(service, address);
		return this.announced.announce(ID, body, sign(body), gateway);
	}

	private String sign(byte[] body) {
		return Announcement.sign(this.secret, ID, body, this.timeOfDay.instant());
	}

	private static byte[] body(String service, String address) {
		return "{\"service\":\"%s\",\"address\":\"%s\"}".formatted(service, address).getBytes(StandardCharsets.UTF_8);
	}

}
