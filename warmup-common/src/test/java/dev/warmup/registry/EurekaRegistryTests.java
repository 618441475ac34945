package dev.warmup.registry;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.BasicCredentials;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.shared.Application;
import com.netflix.discovery.shared.Applications;
import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.context.scope.refresh.RefreshScope;

import static dev.warmup.RunningApplication.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/** A real application that has fetched the registry of a real server once. */
@ExtendWith(OutputCaptureExtension.class)
class EurekaRegistryTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final URI ADDRESS = URI.create("http://chat.internal:8081");

	private static RegistryServer eureka;

	private static RunningApplication application;

	private static EurekaRegistry registry;

	private final MutableClock clock = new MutableClock();

	private final EurekaServers servers = mock(EurekaServers.class);

	private final EurekaRegistry limited = new EurekaRegistry(() -> mock(EurekaClient.class), true, this.servers,
			this.clock, Schedulers.immediate());

	@BeforeAll
	static void start() {
		eureka = new RegistryServer();
		eureka.register("CHAT", "early:8081", "UP", ADDRESS, "service /chat");
		eureka.register("CHAT", "early:8082", "STARTING", ADDRESS, "service");
		application = application(eureka.url());
		registry = application.bean(EurekaRegistry.class);
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

	@Test
	void theApplicationsOwnCopyHasInstancesOfEveryStatusAndNeedsNoRequest() {
		await(registry::isRead);
		int before = eureka.lookups();
		assertThat(registry.instances()).extracting((each) -> each.instance().instanceId())
			.contains("early:8081", "early:8082");
		Registered found = registry.known("early:8081").orElseThrow();
		assertThat(found.instance().service()).isEqualTo("chat");
		assertThat(found.base()).isEqualTo(URI.create("http://chat.internal:8081/chat"));
		assertThat(found.hasLibrary()).isTrue();
		assertThat(registry.known("early:8082")).get().returns(Registered.Status.STARTING, Registered::status);
		assertThat(find("early:8081")).isPresent();
		assertThat(eureka.lookups()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "STARTING, STARTING", "DOWN, REFUSED", "UP, UP", "OUT_OF_SERVICE, REFUSED", "UNKNOWN, STARTING" })
	void newcomerIsReadAtOnceInWhateverStatus(String status, Registered.Status expected) {
		String id = "host:chat:[1]@" + status;
		eureka.register("CHAT", id, status, ADDRESS, "service");
		assertThat(registry.known(id)).as("its own copy").isEmpty();
		assertThat(find(id)).get()
			.returns(id, (each) -> each.instance().instanceId())
			.returns(expected, Registered::status);
		await(() -> registry.recent()
			.blockOptional(TIMEOUT)
			.orElseThrow()
			.stream()
			.anyMatch((each) -> each.instance().instanceId().equals(id)));
	}

	@Test
	void unknownInstanceIsNotFoundAndNamedByNoMeter() {
		assertThat(find("unknown:1")).isEmpty();
		assertThat(application.bean(MeterRegistry.class).find("http.client.requests").timers()).isNotEmpty()
			.extracting((timer) -> timer.getId().getTag("uri"))
			.allSatisfy((uri) -> assertThat(uri).contains("apps"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "..", ".", "../apps", "a/b", "%2e%2e", "a%2Fb", "" })
	void idThatIsNoPathSegmentIsNotLookedUp(String id) {
		int before = eureka.lookups();
		assertThat(find(id)).isEmpty();
		assertThat(eureka.lookups()).isEqualTo(before);
	}

	/** It re-creates the client, which reads the registry under a lock. */
	@Test
	void ownCopyDoesNotWaitForARefreshOfTheContext() throws Exception {
		try (RunningApplication refreshed = application(eureka.url())) {
			EurekaRegistry local = refreshed.bean(EurekaRegistry.class);
			await(local::isRead);
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
	void clientThatReadTheRegistryLastHasTheCopy() {
		Applications applications = new Applications();
		applications.addApplication(new Application("CHAT",
				List.of(InstanceInfo.Builder.newBuilder().setAppName("CHAT").setInstanceId("chat:1").build())));
		EurekaClient client = mock(EurekaClient.class);
		given(client.getApplications()).willReturn(applications);
		this.limited.onHeartbeat(new HeartbeatEvent(this, 1L));
		assertThat(this.limited.known("chat:1")).isEmpty();
		assertThat(this.limited.isRead()).isFalse();
		this.limited.onHeartbeat(new HeartbeatEvent(client, 1L));
		assertThat(this.limited.known("chat:1")).isPresent();
	}

	@Test
	void nextServerIsTriedAfterAFailure() {
		WireMockServer broken = RunningApplication.stub();
		broken.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.serverError()));
		try (RunningApplication other = application("http://localhost:1/eureka/,http://user:secret@localhost:"
				+ broken.port() + "/eureka/," + eureka.url())) {
			EurekaRegistry several = other.bean(EurekaRegistry.class);
			assertThat(several.read("early:8081").blockOptional(TIMEOUT).orElseThrow()).isPresent();
			broken.verify(1, WireMock.getRequestedFor(WireMock.urlEqualTo("/eureka/instances/early:8081"))
				.withBasicAuth(new BasicCredentials("user", "secret")));
		}
		finally {
			broken.stop();
		}
	}

	@Test
	@Tag("full")
	void serverThatHangsIsSkippedWithoutAnErrorAndTheReadFailsIfNoneAnswers(CapturedOutput output) {
		WireMockServer hanging = RunningApplication.stub();
		RegistryServer leaving = new RegistryServer();
		leaving.register("CHAT", "early:8081", "UP", ADDRESS, "service");
		try (RunningApplication other = application(hanging.baseUrl() + "/eureka/," + leaving.url())) {
			EurekaRegistry several = other.bean(EurekaRegistry.class);
			hanging.stubFor(WireMock.get(WireMock.urlPathMatching("/eureka/instances/.*"))
				.willReturn(WireMock.ok().withFixedDelay(15_000)));
			assertThat(several.read("early:8081").blockOptional(TIMEOUT).orElseThrow()).isPresent();
			assertThat(output).doesNotContain("onErrorDropped");
			leaving.close();
			StepVerifier.create(several.read("another:8081")).expectError().verify(TIMEOUT);
		}
		finally {
			hanging.stop();
			leaving.close();
		}
	}

	@Test
	void serverThatPublishesNoDeltaHasNoRecentChanges() {
		WireMockServer server = RunningApplication.stub();
		server.stubFor(WireMock.get("/eureka/apps/delta").willReturn(WireMock.forbidden()));
		try (RunningApplication other = application(server.baseUrl() + "/eureka/")) {
			assertThat(other.bean(EurekaRegistry.class).recent().blockOptional(TIMEOUT)).contains(List.of());
			assertThat(other.bean(EurekaRegistry.class).isRead()).as("its fetch has failed").isFalse();
		}
		finally {
			server.stop();
		}
	}

	@Test
	void oneReadASecondIsMadeOfAnIdForAllWhoAsk() {
		Sinks.One<Optional<InstanceInfo>> answer = Sinks.one();
		given(this.servers.instance(any())).willReturn(answer.asMono());
		CompletableFuture<Optional<Registered>> canceled = this.limited.read("chat:1").toFuture();
		CompletableFuture<Optional<Registered>> second = this.limited.read("chat:1").toFuture();
		canceled.cancel(false);
		assertThat(second).isNotDone();
		answer.tryEmitValue(Optional.of(info("chat:1"))).orThrow();
		assertThat(second.join()).isPresent();
		assertThat(this.limited.read("chat:1").block(TIMEOUT)).isPresent();
		verify(this.servers, times(1)).instance("chat:1");
		this.clock.advance(Duration.ofSeconds(1));
		this.limited.read("chat:1").subscribe();
		verify(this.servers, times(2)).instance("chat:1");
	}

	@Test
	void aFloodOfUnknownIdsKeepsOutNoNewcomer() {
		given(this.servers.instance(any())).willReturn(Mono.just(Optional.empty()));
		given(this.servers.changed()).willReturn(Mono.just(List.of(info("newcomer:1"))));
		IntStream.range(0, 100).forEach((number) -> this.limited.read("forged:" + number).block(TIMEOUT));
		verify(this.servers, times(5)).instance(any());
		assertThat(this.limited.read("newcomer:1").block(TIMEOUT)).isPresent();
		verify(this.servers, times(1)).changed();
		this.clock.advance(Duration.ofSeconds(1));
		IntStream.range(0, 100).forEach((number) -> this.limited.read("forged:" + number).block(TIMEOUT));
		verify(this.servers, times(10)).instance(any());
	}

	/** Otherwise its client would register, STARTING, what the application does not. */
	@Test
	void clientOfAnApplicationThatRegistersByHandIsNotCreated() {
		EurekaRegistry byHand = new EurekaRegistry(() -> {
			throw new IllegalStateException("must not be created");
		}, false, this.servers, this.clock, Schedulers.immediate());
		given(this.servers.instance("chat:1")).willReturn(Mono.just(Optional.of(info("chat:1"))));
		byHand.onRegistered();
		assertThat(byHand.instances()).isEmpty();
		assertThat(byHand.find("chat:1").block(TIMEOUT)).isPresent();
	}

	private static InstanceInfo info(String id) {
		return InstanceInfo.Builder.newBuilder().setAppName("CHAT").setInstanceId(id).setHostName("host").build();
	}

	/** As on an event loop. */
	private static Optional<Registered> find(String instanceId) {
		return Mono.defer(() -> registry.find(instanceId))
			.subscribeOn(Schedulers.parallel())
			.blockOptional(TIMEOUT)
			.orElseThrow();
	}

}
