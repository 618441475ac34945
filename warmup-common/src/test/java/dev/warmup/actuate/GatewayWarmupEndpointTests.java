package dev.warmup.actuate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.RunningApplication;
import dev.warmup.gateway.Fleet;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/** The status of a gateway, and the page that shows it. */
class GatewayWarmupEndpointTests {

	@Test
	void thePageIsServedUnderItsNameAloneWhereverTheEndpointIs() {
		try (RunningApplication gateway = gateway("spring.webflux.base-path=/gw",
				"management.endpoints.web.base-path=/manage")) {
			var page = gateway.get("/gw/manage/warmup/page", "Accept", "text/html,*/*;q=0.8");
			assertThat(page.statusCode()).isEqualTo(200);
			assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
			assertThat(page.body()).startsWith("<!DOCTYPE html>").contains("\"../warmup\"", "→").endsWith("</html>\n");
			assertThat(gateway.get("/gw/manage/warmup/other").statusCode()).isEqualTo(404);
			assertThat(gateway.get("/gw/manage/warmup/page.html").statusCode()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "management.endpoints.web.exposure.include=health", "management.endpoint.warmup.access=none" })
	void thePageIsNoMoreExposedThanTheStatus(String property) {
		try (RunningApplication gateway = gateway(property)) {
			assertThat(gateway.get("/actuator/warmup/page").statusCode()).isEqualTo(404);
			assertThat(gateway.get("/actuator/warmup").statusCode()).isEqualTo(404);
		}
	}

	@Test
	void theStatusHasTheJournal() {
		try (RunningApplication gateway = gateway("spring.application.name=gateway")) {
			RunningApplication.await(() -> gateway.json("/actuator/warmup")
				.at("/journal/0/text")
				.asString("")
				.matches("gateway/.+ READY: no service has anything to send"));
			JsonNode status = gateway.json("/actuator/warmup");
			assertThat(status.at("/journal/0/at").asString()).endsWith("Z");
			assertThat(status.at("/fleet").isArray()).isTrue();
		}
	}

	@Test
	void theStatusIsReadOnceASecondWhoeverAsks() {
		OwnState state;
		Gate gate;
		Fleet fleet;
		try (RunningApplication gateway = gateway("spring.application.name=gateway")) {
			state = gateway.bean(OwnState.class);
			gate = gateway.bean(Gate.class);
			fleet = gateway.bean(Fleet.class);
		}
		StepVerifier.withVirtualTime(() -> {
			GatewayWarmupEndpoint endpoint = new GatewayWarmupEndpoint(state, gate, fleet);
			return Flux.interval(Duration.ZERO, Duration.ofMillis(300))
				.take(7) // until 1.8 s
				.concatMap((tick) -> endpoint.status())
				.map(System::identityHashCode)
				.distinct()
				.count();
		}).thenAwait(Duration.ofSeconds(3)).expectNext(2L).expectComplete().verify(Duration.ofSeconds(30));
	}

	/** With a change of the page, its policy needs the new hashes. */
	@ParameterizedTest
	@ValueSource(strings = { "script", "style" })
	void thePageRunsNothingButItsOwn(String element) throws IOException, NoSuchAlgorithmException {
		String page = new ClassPathResource("page.html", GatewayWarmupEndpoint.class)
			.getContentAsString(StandardCharsets.UTF_8);
		Matcher found = Pattern.compile("<%1$s>(.*?)</%1$s>".formatted(element), Pattern.DOTALL).matcher(page);
		assertThat(found.find()).isTrue();
		byte[] hash = MessageDigest.getInstance("SHA-256").digest(found.group(1).getBytes(StandardCharsets.UTF_8));
		assertThat(found.find()).isFalse();
		assertThat(page.lines().filter((line) -> line.contains("-src "))).anyMatch(
				(line) -> line.contains(element + "-src 'sha256-" + Base64.getEncoder().encodeToString(hash) + "'"));
		assertThat(page).contains("default-src 'none'; connect-src 'self'")
			.doesNotContain("unsafe-inline", "unsafe-eval");
	}

	private static RunningApplication gateway(String... properties) {
		return RunningApplication.gateway(RunningApplication.Plain.class, properties);
	}

}
