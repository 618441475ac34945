package dev.warmup.gateway;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.Claims;
import dev.warmup.MutableClock;
import dev.warmup.RunningApplication;
import dev.warmup.protocol.Gate;
import dev.warmup.protocol.Phase;
import dev.warmup.protocol.RunRecord;
import dev.warmup.protocol.RunReport;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.Trigger;
import dev.warmup.protocol.Verdict;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.HttpMethod;

/** Reports as services send them. */
public final class Reports {

	private Reports() {
	}

	public static RunReport warm(String service, String instanceId, String runId) {
		return new RunReport(service, instanceId, Phase.WARM, Gate.Position.OPEN,
				run(runId, Trigger.STARTUP, Verdict.WARM, 0, null,
						List.of(new RunRecord.Request("rooms", "list", 600, 0, Optional.of(Duration.ofMillis(1105)),
								Optional.of(Duration.ofMillis(6)), Optional.of(Duration.ofMillis(9)), true,
								Optional.empty()))));
	}

	public static RunReport failed(String service, String instanceId, String runId, String reason) {
		return new RunReport(service, instanceId, Phase.FAILED, Gate.Position.OPEN,
				unsent(runId, Verdict.FAILED, reason));
	}

	public static RunReport skipped(String service, String instanceId, String runId) {
		return new RunReport(service, instanceId, Phase.COLD, Gate.Position.OPEN,
				unsent(runId, Verdict.SKIPPED, "no scenario"));
	}

	/** A run that was answered. */
	public static RunRecord run(String id, Trigger trigger, Verdict verdict, long failed, @Nullable String reason,
			List<RunRecord.Request> requests) {
		return new RunRecord(id, trigger, verdict, "gateway-1", MutableClock.START, Duration.ofMillis(4120),
				Duration.ofMillis(300), 600, failed, Optional.of(Duration.ofMillis(1105)),
				Optional.of(Duration.ofNanos(6_200_000)), Optional.of(Duration.ofMillis(9)), Optional.of(178.2),
				Duration.ofMillis(2300), 1934, Duration.ofMillis(5600), Optional.ofNullable(reason),
				List.of("Pool main: 2 requests waited for a connection."), requests);
	}

	/** A run that found no route, or nothing to send. */
	public static RunRecord unsent(String id, Verdict verdict, String reason) {
		return new RunRecord(id, Trigger.STARTUP, verdict, "gateway-1", MutableClock.START, Duration.ZERO,
				Duration.ofSeconds(60), 0, 0, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
				Duration.ZERO, 0, Duration.ZERO, Optional.of(reason), List.of(), List.of());
	}

	/** Sends a report with its instance's claim, and returns the status. */
	static int put(RunningApplication gateway, RunReport report) {
		return gateway
			.send(HttpMethod.PUT, RunReport.PATH + report.run().id(), json(report), "X-Warmup",
					Claims.of(report.instanceId(), SignedClaim.Scope.REPORT, report.run().id()))
			.statusCode();
	}

	public static String json(RunReport report) {
		return JsonMapper.shared().writeValueAsString(report);
	}

	static ObjectNode tree(RunReport report) {
		return JsonMapper.shared().valueToTree(report);
	}

}
