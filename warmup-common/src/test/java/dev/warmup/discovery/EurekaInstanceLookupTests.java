package dev.warmup.discovery;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.BasicCredentials;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.shared.Application;
import com.netflix.discovery.shared.Applications;
import dev.warmup.Claims;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.WarmupKey;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.context.scope.refresh.RefreshScope;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/** A real application that fetched the registry of a real server once. */
@ExtendWith(OutputCaptureExtension.class)
class EurekaInstanceLookupTests {

	private static final String JWK = Claims.jwk("chat-1");

	private static final URI ADDRESS = URI.create("http://chat.internal:8081");

	private static RegistryServer eureka;

	private static RunningApplication application;

	private static InstanceLookup lookup;

	@BeforeAll
	static void start() {
		eureka = new RegistryServer();
		eureka.register("early:8081", "UP", ADDRESS, JWK);
		eureka.register("early:8082", "STARTING", ADDRESS, JWK);
		application = application(eureka.url());
		lookup = application.bean(InstanceLookup.class);
	}

	private static RunningApplication application(String servers) {
		return RunningApplication.service(RunningApplication.Plain.class, WebApplicationType.REACTIVE,
				"eureka.client.enabled=true", "eureka.client.register-with-eureka=false",
				"eureka.client.jersey.enabled=false", "eureka.client.service-url.defaultZone=" + servers,
				"eureka.client.registry-fetch-interval-seconds=3600");
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
		eureka.register(id, status, ADDRESS, JWK);
		ServiceInstance found = find(lookup, id).orElseThrow();
		assertThat(found.getInstanceId()).isEqualTo(id);
		assertThat(found.getServiceId()).isEqualToIgnoringCase("chat-service");
		assertThat(found.getUri()).isEqualTo(ADDRESS);
		assertThat(found.getMetadata()).containsEntry(WarmupKey.METADATA_KEY, JWK);
		assertThat(lookup.known(id)).as("the local registry").isEmpty();
		assertThat(lookup.refusesUsers(found)).isEqualTo(status.equals("DOWN") || status.equals("OUT_OF_SERVICE"));
		await(() -> lookup.recent().block(Duration.ofSeconds(30)).containsKey(id));
	}

	@Test
	void instanceThatCameAfterTheLocalCopyWasReadIsFoundByItsServiceOnceItIsUp() {
		eureka.register("late:8081", "UP", ADDRESS, JWK);
		eureka.register("late:8082", "STARTING", ADDRESS, JWK);
		await(() -> recent("chat-service").contains("late:8081"));
		assertThat(recent("Chat-Service")).contains("late:8081").doesNotContain("late:8082");
		assertThat(recent("gateway")).isEmpty();
	}

	private static List<String> recent(String serviceId) {
		return lookup.recent(serviceId)
			.block(Duration.ofSeconds(30))
			.stream()
			.map(ServiceInstance::getInstanceId)
			.toList();
	}

	@Test
	void unknownInstanceIsNotFoundAndNamedByNoMeter() {
		assertThat(find(lookup, "unknown:1")).isEmpty();
		assertThat(application.bean(MeterRegistry.class).find("http.client.requests").timers()).isNotEmpty()
			.extracting((timer) -> timer.getId().getTag("uri"))
			.allSatisfy((uri) -> assertThat(uri).contains("apps"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "..", ".", "../apps", "a/b", "%2e%2e", "a%2Fb" })
	void idThatIsNoPathSegmentIsNotLookedUp(String id) {
		int before = eureka.lookups();
		assertThat(find(lookup, id)).isEmpty();
		assertThat(eureka.lookups()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "early:8081", "early:8082" })
	void localCopyOfTheRegistryIsKnownWithoutALookup(String id) {
		assertThat(lookup.isFetched()).as("long before the next fetch").isTrue();
		find(lookup, "unknown:2");
		int before = eureka.lookups();
		assertThat(lookup.known(id)).map(ServiceInstance::getInstanceId).hasValue(id);
		assertThat(eureka.lookups()).isEqualTo(before);
	}

	/** It re-creates the client, which reads the registry under a lock. */
	@Test
	void localCopyDoesNotWaitForARefreshOfTheContext() throws Exception {
		try (RunningApplication refreshed = application(eureka.url())) {
			InstanceLookup local = refreshed.bean(InstanceLookup.class);
			find(local, "unknown:3");
			Runnable release = eureka.hold();
			CompletableFuture<Void> refresh = CompletableFuture
				.runAsync(() -> refreshed.bean(RefreshScope.class).refreshAll());
			try {
				await(eureka::isHolding);
				assertThat(CompletableFuture.supplyAsync(() -> local.known("early:8081")).get(20, TimeUnit.SECONDS))
					.isPresent();
				assertThat(refresh).isNotDone();
			}
			finally {
				release.run();
			}
			refresh.get(20, TimeUnit.SECONDS);
		}
	}

	@Test
	void clientThatReadTheRegistryLastHasTheLocalCopy() {
		Applications applications = new Applications();
		applications.addApplication(new Application("CHAT",
				List.of(InstanceInfo.Builder.newBuilder().setAppName("CHAT").setInstanceId("chat:1").build())));
		EurekaClient client = mock(EurekaClient.class);
		when(client.getApplications()).thenReturn(applications);
		EurekaInstanceLookup tested = new EurekaInstanceLookup(mock(EurekaClient.class), mock(), Optional.empty(),
				Schedulers.immediate());
		tested.onHeartbeat(new HeartbeatEvent(this, 1L));
		assertThat(tested.known("chat:1")).isEmpty();
		tested.onHeartbeat(new HeartbeatEvent(client, 1L));
		assertThat(tested.known("chat:1")).isPresent();
	}

	@Test
	void nextServerIsTriedAfterAFailureAndStaysTheFirst() {
		WireMockServer broken = RunningApplication.stub();
		broken.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.serverError()));
		try (RunningApplication other = application("http://localhost:1/eureka/,http://user:secret@localhost:"
				+ broken.port() + "/eureka/," + eureka.url())) {
			assertThat(other.bean(InstanceLookup.class).recent().block(Duration.ofSeconds(30)))
				.containsKey("early:8081");
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
			broken.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/eureka/instances/early:8081"))
				.withBasicAuth(new BasicCredentials("user", "secret")));
		}
		finally {
			broken.stop();
		}
	}

	@Test
	void serverThatPublishesNoDeltaHasNoRecentChanges() {
		WireMockServer server = RunningApplication.stub();
		server.stubFor(WireMock.get("/eureka/apps/delta").willReturn(WireMock.forbidden()));
		try (RunningApplication other = application(server.baseUrl() + "/eureka/")) {
			assertThat(other.bean(InstanceLookup.class).recent().block(Duration.ofSeconds(30))).isEmpty();
			server.verify(WireMock.getRequestedFor(WireMock.urlPathEqualTo("/eureka/apps/delta")));
		}
		finally {
			server.stop();
		}
	}

	@Test
	@Tag("full")
	void serverThatHangsIsSkippedWithoutAnErrorAndLookupFailsIfNoneAnswers(CapturedOutput output) {
		WireMockServer hanging = RunningApplication.stub();
		RegistryServer leaving = new RegistryServer();
		leaving.register("early:8081", "UP", ADDRESS, JWK);
		try (RunningApplication other = application(hanging.baseUrl() + "/eureka/," + leaving.url())) {
			hanging.stubFor(WireMock.get(WireMock.urlPathMatching("/eureka/instances/.*"))
				.willReturn(WireMock.ok().withFixedDelay(15_000)));
			assertThat(find(other.bean(InstanceLookup.class), "early:8081")).isPresent();
			assertThat(output).doesNotContain("onErrorDropped");
			leaving.close();
			StepVerifier.create(other.bean(InstanceLookup.class).find("early:8081"))
				.expectError()
				.verify(Duration.ofSeconds(30));
		}
		finally {
			hanging.stop();
			leaving.close();
		}
	}

	/** As on an event loop. */
	private static Optional<ServiceInstance> find(InstanceLookup lookup, String instanceId) {
		return Mono.defer(() -> lookup.find(instanceId))
			.subscribeOn(Schedulers.parallel())
			.blockOptional(Duration.ofSeconds(30))
			.orElseThrow();
	}

}
