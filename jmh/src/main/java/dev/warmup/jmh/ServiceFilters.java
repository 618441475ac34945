package dev.warmup.jmh;

import java.io.IOException;
import java.net.URI;

import jakarta.servlet.ServletException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;

/** A user's request in a service: through the library's filters and nothing else. */
public class ServiceFilters extends UserRequests {

	private static final URI PATH = URI.create("/rooms/lobby");

	@Benchmark
	public ServerWebExchange reactive(Reactive service) {
		return FilterChains.get(service.chain, PATH);
	}

	@Benchmark
	public int servlet(Servlet service) throws ServletException, IOException {
		return service.filters.get(PATH.getPath());
	}

	/** A reactive service. */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init") // JMH starts it first
	public static class Reactive {

		@Param({ "ABSENT", "PRESENT" })
		Library library;

		private ConfigurableApplicationContext context;

		private WebHandler chain;

		@Setup
		public void start() {
			this.context = Contexts.reactiveService(this.library);
			this.chain = FilterChains.of(this.context);
		}

		@TearDown
		public void stop() {
			this.context.close();
		}

	}

	/** A servlet service. */
	@State(Scope.Benchmark)
	@SuppressWarnings("NullAway.Init") // JMH starts it first
	public static class Servlet {

		@Param({ "ABSENT", "PRESENT" })
		Library library;

		private ConfigurableApplicationContext context;

		private ServletFilters filters;

		@Setup
		public void start() throws ServletException {
			this.context = Contexts.servletService(this.library);
			this.filters = new ServletFilters(this.context);
		}

		@TearDown
		public void stop() {
			this.context.close();
		}

	}

}
