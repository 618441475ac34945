package dev.warmup.discovery;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.BasicCredentials;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.WarmupToken;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** The look-up of a real application that fetched the registry of a real server once. */
@ExtendWith(OutputCaptureExtension.class)
class EurekaInstanceLookupTests {

	private static final String TOKEN = "token-of-the-tests";

	private static final URI ADDRESS = URI.create("http://chat.internal:8081");

	private static RunningEureka eureka;

	private static RunningApplication application;

	private static InstanceLookup lookup;

	@BeforeAll
	static void start() {
		eureka = RunningEureka.start();
		eureka.register("CHAT-SERVICE", "early:8081", "UP", ADDRESS, TOKEN);
		eureka.register("CHAT-SERVICE", "early:8082", "STARTING", ADDRESS, TOKEN);
		application = application(eureka.url());
		lookup = application.bean(InstanceLookup.class);
	}

	private static RunningApplication application(String servers) {
		return RunningApplication.service(Application.class, WebApplicationType.REACTIVE,
				RunningEureka.clientOf(servers, "eureka.client.registry-fetch-interval-seconds=3600"));
	}

	@AfterAll
	static void stop() {
		application.close();
		eureka.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "STARTING", "DOWN", "UP", "OUT_OF_SERVICE" })
	void instanceIsFoundAtOnceInWhateverStatus(String status) {
		String id = "host:chat-service:" + status;
		eureka.register("CHAT-SERVICE", id, status, ADDRESS, TOKEN);
		ServiceInstance found = find(lookup, id).orElseThrow();
		assertThat(found.getInstanceId()).isEqualTo(id);
		assertThat(found.getServiceId()).isEqualToIgnoringCase("chat-service");
		assertThat(found.getUri()).isEqualTo(ADDRESS);
		assertThat(found.getMetadata()).containsEntry(WarmupToken.METADATA_KEY, WarmupToken.of(TOKEN).sha256());
		assertThat(lookup.known(id)).as("the local registry").isEmpty();
	}

	@Test
	void unknownInstanceIsNone() {
		assertThat(find(lookup, "nobody:1")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "..", ".", "../apps", "a/b", "%2e%2e", "a%2Fb" })
	void whatIsNoNameInAPathIsNotAskedFor(String id) {
		int before = eureka.questions();
		assertThat(find(lookup, id)).isEmpty();
		assertThat(eureka.questions()).isEqualTo(before);
	}

	@Test
	void lookupMayBeAskedForOnAnEventLoop() {
		StepVerifier.create(Mono.defer(() -> lookup.find("early:8081")).subscribeOn(Schedulers.parallel()))
			.assertNext((found) -> assertThat(found).isPresent())
			.expectComplete()
			.verify(Duration.ofSeconds(30));
	}

	@ParameterizedTest
	@ValueSource(strings = { "early:8081", "early:8082" })
	void whatTheLocalRegistryHoldsIsKnownWithoutAsking(String id) {
		find(lookup, "nobody:2");
		int before = eureka.questions();
		assertThat(lookup.known(id)).map(ServiceInstance::getInstanceId).hasValue(id);
		assertThat(eureka.questions()).isEqualTo(before);
	}

	@Test
	void nextServerIsAskedWhereOneFailsOrIsGoneAndStaysTheFirst() {
		WireMockServer broken = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		broken.start();
		broken.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.serverError()));
		try (RunningApplication other = application(
				"http://localhost:1/eureka/," + broken.baseUrl() + "/eureka/," + eureka.url())) {
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
			broken.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/eureka/instances/early:8081")));
		}
		finally {
			broken.stop();
		}
	}

	@Test
	void credentialsOfTheUrlAreSent() {
		WireMockServer server = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		server.start();
		try (RunningApplication other = application("http://user:secret@localhost:" + server.port() + "/eureka/")) {
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isEmpty();
			server.verify(WireMock.getRequestedFor(WireMock.urlEqualTo("/eureka/instances/early:8081"))
				.withBasicAuth(new BasicCredentials("user", "secret")));
		}
		finally {
			server.stop();
		}
	}

	@Test
	void lookupFailsWhereNoServerAnswers() {
		RunningEureka leaving = RunningEureka.start();
		try (RunningApplication other = application(leaving.url())) {
			leaving.close();
			StepVerifier.create(other.bean(InstanceLookup.class).find("early:8081"))
				.expectError()
				.verify(Duration.ofSeconds(30));
		}
	}

	@Test
	void serverThatHangsIsGivenUpQuietly(CapturedOutput output) {
		WireMockServer hanging = new WireMockServer(WireMockConfiguration.options().dynamicPort());
		hanging.start();
		try (RunningApplication other = application(hanging.baseUrl() + "/eureka/," + eureka.url())) {
			hanging.stubFor(WireMock.get(WireMock.urlPathMatching("/eureka/instances/.*"))
				.willReturn(WireMock.ok().withFixedDelay(15_000)));
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
		}
		finally {
			hanging.stop();
		}
		assertThat(output).doesNotContain("onErrorDropped");
	}

	private static Optional<ServiceInstance> find(InstanceLookup lookup, String instanceId) {
		return lookup.find(instanceId).blockOptional(Duration.ofSeconds(30)).orElseThrow();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
