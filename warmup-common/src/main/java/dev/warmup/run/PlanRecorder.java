package dev.warmup.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.warmup.catalog.RequestTemplate;
import dev.warmup.catalog.Scenario;
import dev.warmup.protocol.Latencies;
import dev.warmup.protocol.RequestRecord;

/** Writes down what becomes of each request of a plan. Not thread-safe. */
final class PlanRecorder {

	private final Map<Key, RequestRecorder> requests = new LinkedHashMap<>();

	PlanRecorder(Plan plan, SteadyCriteria steadiness) {
		plan.shares()
			.stream()
			.map(Plan.Share::scenario)
			.forEach((scenario) -> requestsOf(scenario).forEach((request) -> this.requests
				.put(Key.of(scenario, request), new RequestRecorder(scenario.name(), request, steadiness.trend()))));
	}

	/**
	 * The record of one request.
	 * @throws IllegalArgumentException if the plan does not have the request
	 */
	RequestRecorder recorder(Scenario scenario, RequestTemplate request) {
		return Optional.ofNullable(this.requests.get(Key.of(scenario, request)))
			.orElseThrow(() -> new IllegalArgumentException("Not a request of this run: " + request.name()));
	}

	/** Whether each request of a scenario is steady, fails, or is never sent. */
	boolean isSettled(Scenario scenario) {
		return requestsOf(scenario).allMatch((request) -> recorder(scenario, request).unsteady().isEmpty());
	}

	/** What is not steady, and why. */
	Stream<String> unsteady() {
		return this.requests.values().stream().map(RequestRecorder::unsteady).flatMap(Optional::stream);
	}

	/** The first failure of each request that had one. */
	List<String> problems() {
		return this.requests.values().stream().map(RequestRecorder::problem).flatMap(Optional::stream).toList();
	}

	/** The last answers of all requests. */
	Latencies steady() {
		Latencies steady = new Latencies();
		this.requests.values().forEach((request) -> steady.add(request.steady()));
		return steady;
	}

	long sent() {
		return this.requests.values().stream().mapToLong(RequestRecorder::sent).sum();
	}

	long answered() {
		return this.requests.values().stream().mapToLong(RequestRecorder::answered).sum();
	}

	/** Every request, in the plan's order. */
	List<RequestRecord> toRecords() {
		return this.requests.values().stream().map(RequestRecorder::toRecord).toList();
	}

	private static Stream<RequestTemplate> requestsOf(Scenario scenario) {
		return Stream.concat(scenario.requests().stream(), scenario.cleanup().stream());
	}

	/** Request names are unique within a scenario only. */
	private record Key(String scenario, String request) {

		static Key of(Scenario scenario, RequestTemplate request) {
			return new Key(scenario.name(), request.name());
		}

	}

}
