package dev.warmup.run;

import java.time.Clock;
import java.time.Duration;

import dev.warmup.GatewayLocator;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.Trigger;
import dev.warmup.service.Gate;
import dev.warmup.service.OwnState;
import dev.warmup.service.UserActivity;
import reactor.core.scheduler.Scheduler;

import org.springframework.context.ApplicationEventPublisher;

/** What all runs share. */
record RunParts(Settings settings, OwnState state, Gate gate, UserActivity users, CatalogSource catalogs,
		FindingsSource findings, WarmupTasks tasks, GatewayLocator gateways, GatewayClient client, News news,
		ApplicationEventPublisher events, Clock clock, Scheduler scheduler) {

	/**
	 * How far runs go, as {@code WarmupProperties} describes it.
	 *
	 * @param opensOnFailure whether the gate opens after runs that did not end warm
	 */
	record Settings(Duration budget, Duration deadline, int minRepetitions, Trigger startupTrigger, double tolerance,
			int window, boolean opensOnFailure) {

	}

}
