package dev.warmup.insight;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import dev.warmup.WarmupContext;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.server.ServerWebExchange;

/**
 * Compares users' requests with those that runs send: the catalog covers a kind of
 * request, a method and a normalized path, once a run has sent one of it through this
 * gateway. Those that were answered 4xx are left out. Reports today and the day before.
 * <p>
 * Thread-safe. Memory is bounded, by 1000 kinds that are covered and twice 1000 that are
 * not, whatever users send: beyond that, a kind that is new that day is counted among the
 * requests, but not by itself.
 */
public class Coverage implements GlobalFilter, Ordered {

	/**
	 * Behind the filters that separate warm-up from users, which precede the one that
	 * writes the response, and ahead of a route's own filters, from 1 on, which rewrite
	 * paths and send requests again.
	 */
	static final int ORDER = NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER + 1;

	/** More kinds than a catalog has; those beyond count as not covered. */
	static final int MAX_KINDS = 1000;

	private static final int KINDS_REPORTED = 10;

	private final Clock clock;

	private final Set<RequestKind> covered = ConcurrentHashMap.newKeySet();

	private volatile Days days;

	/** Creates a coverage of nothing. */
	public Coverage(Clock clock) {
		this.clock = clock;
		this.days = new Days(Optional.empty(), new Day(clock.instant()));
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		String path = request.getPath().pathWithinApplication().value();
		if (exchange.getAttributes().containsKey(WarmupContext.ATTRIBUTE)) {
			warmupSent(request.getMethod().name(), path);
		}
		else {
			exchange.getResponse()
				.beforeCommit(() -> Mono.fromRunnable(() -> answered(exchange, request.getMethod().name(), path)));
		}
		return chain.filter(exchange);
	}

	/** What is refused, such as a scanner's request, is not for a catalog to cover. */
	private void answered(ServerWebExchange exchange, String method, String path) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		if (status == null || !status.is4xxClientError()) {
			userSent(method, path);
		}
	}

	/** Notes that a run sent a request to a path, without its query. */
	void warmupSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		if (!this.covered.contains(kind) && this.covered.size() < MAX_KINDS) {
			this.covered.add(kind);
		}
	}

	/** Counts a user's request to a path, without its query. */
	void userSent(String method, String path) {
		RequestKind kind = RequestKind.of(method, path);
		this.days.today.count(kind, this.covered.contains(kind));
	}

	/** Begins a new day: what was counted before yesterday is forgotten. */
	@Scheduled(fixedRate = 1, initialDelay = 1, timeUnit = TimeUnit.DAYS)
	public synchronized void turnDay() {
		this.days = new Days(Optional.of(this.days.today), new Day(this.clock.instant()));
	}

	/**
	 * The figures of today and the day before. A kind that the catalog has covered only
	 * since lately counts as covered before, as far as it was counted by itself.
	 */
	public Report report() {
		Days both = this.days;
		long coveredSoFar = both.stream().mapToLong((day) -> day.covered.sum()).sum();
		Map<RequestKind, Long> uncovered = new HashMap<>();
		both.stream()
			.forEach((day) -> day.uncovered.forEach((kind, count) -> uncovered.merge(kind, count.sum(), Long::sum)));
		for (RequestKind kind : List.copyOf(uncovered.keySet())) {
			if (this.covered.contains(kind)) {
				coveredSoFar += uncovered.remove(kind);
			}
		}
		return new Report(both.since(), both.stream().mapToLong((day) -> day.requests.sum()).sum(), coveredSoFar,
				mostFrequent(uncovered));
	}

	private static List<Report.Uncovered> mostFrequent(Map<RequestKind, Long> kinds) {
		return kinds.entrySet()
			.stream()
			.sorted(Map.Entry.<RequestKind, Long>comparingByValue()
				.reversed()
				.thenComparing((entry) -> entry.getKey().toString(), Comparator.naturalOrder()))
			.limit(KINDS_REPORTED)
			.map((entry) -> new Report.Uncovered(entry.getKey().method(), entry.getKey().path(), entry.getValue(),
					entry.getKey().catalogEntry()))
			.toList();
	}

	private record Days(Optional<Day> yesterday, Day today) {

		Stream<Day> stream() {
			return Stream.concat(this.yesterday.stream(), Stream.of(this.today));
		}

		Instant since() {
			return this.yesterday.orElse(this.today).since;
		}

	}

	/** Users' requests of a day. */
	private static final class Day {

		private final Instant since;

		private final LongAdder requests = new LongAdder();

		private final LongAdder covered = new LongAdder();

		private final Map<RequestKind, LongAdder> uncovered = new ConcurrentHashMap<>();

		Day(Instant since) {
			this.since = since;
		}

		void count(RequestKind kind, boolean isCovered) {
			this.requests.increment();
			if (isCovered) {
				this.covered.increment();
			}
			else {
				LongAdder count = (this.uncovered.size() < MAX_KINDS)
						? this.uncovered.computeIfAbsent(kind, (key) -> new LongAdder()) : this.uncovered.get(kind);
				if (count != null) {
					count.increment();
				}
			}
		}

	}

	/**
	 * What share of users' requests the catalog covers.
	 *
	 * @param since when counting began
	 * @param requests how many requests users have sent since
	 * @param covered how many of these were of a kind that runs send
	 * @param share {@code covered} by {@code requests}, or empty without requests
	 * @param uncovered the most frequent kinds that no run sends, at most 10, the most
	 * frequent first
	 */
	public record Report(Instant since, long requests, long covered, Optional<Double> share,
			List<Uncovered> uncovered) {

		public Report {
			uncovered = List.copyOf(uncovered);
		}

		Report(Instant since, long requests, long covered, List<Uncovered> uncovered) {
			this(since, requests, Math.min(covered, requests),
					(requests > 0) ? Optional.of((double) Math.min(covered, requests) / requests) : Optional.empty(),
					uncovered);
		}

		/**
		 * A kind of request that users send and runs do not.
		 *
		 * @param method the method
		 * @param path the path, with identifiers normalized to {@code {id}}
		 * @param requests how many there were at least
		 * @param entry what to paste into the catalog, for methods that change nothing;
		 * with placeholders that a person is to fill in where the path has some
		 */
		public record Uncovered(String method, String path, long requests, Optional<String> entry) {

		}

	}

}
