package dev.warmup.jmh;

import java.net.URI;
import java.util.List;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;

/**
 * A user's request in a gateway: through the library's filters and nothing else, and
 * through all that a gateway has short of the network.
 */
public class GatewayFilters extends UserRequests {

	@Benchmark
	public ServerWebExchange filters(Filters gateway, Cursor cursor) {
		return FilterChains.get(gateway.chain, cursor.next(gateway.paths));
	}

	@Benchmark
	@Warmup(iterations = 6, time = 1) // the compiler has much more to do
	public int whole(Whole gateway) {
		return gateway.gateway.get(Paths.COVERED);
	}

	/** The library's filters. */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init") // JMH starts it first
	public static class Filters {

		@Param
		Library library;

		private Gateway gateway;

		private WebHandler chain;

		private List<URI> paths;

		@Setup
		public void start() {
			this.gateway = new Gateway(this.library);
			this.chain = FilterChains.of(this.gateway.context());
			this.paths = Paths.of(this.library);
		}

		@TearDown
		public void stop() {
			this.gateway.close();
		}

	}

	/** A whole gateway. */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init") // JMH starts it first
	public static class Whole {

		@Param({ "ABSENT", "PRESENT" })
		Library library;

		private Gateway gateway;

		@Setup
		public void start() {
			this.gateway = new Gateway(this.library);
		}

		@TearDown
		public void stop() {
			this.gateway.close();
		}

	}

	/** Where a thread is among the paths. */
	@State(Scope.Thread)
	public static class Cursor {

		private int at;

		URI next(List<URI> paths) {
			this.at = (this.at + 1) % paths.size();
			return paths.get(this.at);
		}

	}

}
