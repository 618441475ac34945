package dev.warmup.autoconfigure;

import java.time.Clock;

import dev.warmup.GateOpened;
import dev.warmup.GatewayLocator;
import dev.warmup.actuate.RunLog;
import dev.warmup.catalog.CatalogReader;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.catalog.FileCatalogSource;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.InstanceSource;
import dev.warmup.protocol.WarmupToken;
import dev.warmup.run.GatewayClient;
import dev.warmup.run.GatewayRun;
import dev.warmup.run.Processors;
import dev.warmup.run.Replayer;
import dev.warmup.run.Reporter;
import dev.warmup.run.RunCompletion;
import dev.warmup.run.RunListener;
import dev.warmup.run.RunSettings;
import dev.warmup.run.ShutdownNotifier;
import dev.warmup.run.StartupRun;
import dev.warmup.run.Timing;
import dev.warmup.run.WarmupRunner;
import dev.warmup.run.WarmupState;
import dev.warmup.run.WarmupTasks;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of runs in a service, not in a
 * gateway; each bean gives way to the application's own.
 */
@AutoConfiguration(after = { WarmupClientAutoConfiguration.class, WarmupLocateAutoConfiguration.class,
		WarmupTaskAutoConfiguration.class })
@ConditionalOnWebApplication
@ConditionalOnMissingClass(WarmupAutoConfiguration.GATEWAY_CLASS)
@ConditionalOnBooleanProperty(name = "warmup.enabled", matchIfMissing = true)
public final class WarmupReplayAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CatalogSource warmupCatalogSource(WarmupProperties properties, ResourceLoader resources) {
		Resource catalog = resources.getResource(properties.catalog());
		return properties.catalog().equals(WarmupProperties.DEFAULT_CATALOG)
				? FileCatalogSource.optional(catalog, new CatalogReader())
				: FileCatalogSource.required(catalog, new CatalogReader());
	}

	@Bean
	@ConditionalOnMissingBean
	Gate warmupGate(WarmupProperties properties, ApplicationEventPublisher events) {
		return new Gate(properties.gate().enabled(), properties.gate().onFailure(),
				() -> events.publishEvent(new GateOpened()));
	}

	@Bean
	@ConditionalOnMissingBean
	RunLog warmupRunLog(InstanceSource instance) {
		return new RunLog(instance);
	}

	@Bean
	@ConditionalOnMissingBean
	WarmupState warmupState(ObjectProvider<RunListener> listeners) {
		return new WarmupState(Clock.systemUTC(), listeners.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	WarmupRunner warmupRunner(InstanceSource instance, CatalogSource catalogs, GatewayLocator gateways,
			WarmupTasks tasks, GatewayClient door, Replayer replayer, Reporter reporter, WarmupProperties properties,
			WarmupState state, Gate gate, WarmupToken token, ObjectProvider<RunListener> listeners) {
		StartupSettings startup = properties.startup();
		RunSettings settings = new RunSettings(startup.budget(), startup.minRepetitions(), startup.maxRepetitions(),
				startup.concurrency(), Processors.available(), properties.cpu().maxShare(),
				properties.steady().steadiness());
		GatewayRun passage = new GatewayRun(door, replayer, reporter, settings, listeners.orderedStream().toList(),
				state, token, Timing.system());
		return new WarmupRunner(instance, catalogs, gateways, tasks, passage,
				new RunCompletion(instance, state, gate, reporter), settings, Timing.system());
	}

	@Bean
	@ConditionalOnMissingBean
	StartupRun warmupStartupRun(WarmupRunner runner, WarmupState state, WarmupProperties properties) {
		return new StartupRun(runner, state, properties.startup().trigger(), Schedulers.parallel());
	}

	@Bean
	@ConditionalOnMissingBean
	ShutdownNotifier warmupLeaving(InstanceSource instance, GatewayLocator gateways, GatewayClient door, Gate gate,
			WarmupToken token) {
		return new ShutdownNotifier(instance, gateways, door, gate, token, Schedulers.parallel());
	}

}
