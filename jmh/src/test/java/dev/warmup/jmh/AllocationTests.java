package dev.warmup.jmh;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.server.WebHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * That what a user's request allocates, and what the library keeps, does not grow with
 * the number of requests, nor with that of their kinds.
 */
class AllocationTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static final int FEW = 5000;

	private static final int MANY = 100_000;

	/**
	 * Of bytes a request: less than an object. A one-off of the JDK may fall into any.
	 */
	private static final double SLACK = 8;

	@ParameterizedTest
	@EnumSource
	void usersOfGatewayAllocateNoMoreAfterManyRequests(Library library) throws Exception {
		try (Gateway gateway = new Gateway(library)) {
			WebHandler filters = FilterChains.of(gateway.context());
			List<URI> paths = Paths.of(library);
			int[] at = new int[1];
			doesNotGrow(() -> FilterChains.get(filters, paths.get(at[0]++ % paths.size())));
		}
	}

	@Test
	void usersOfReactiveServiceAllocateNoMoreAfterManyRequests() throws Exception {
		try (ConfigurableApplicationContext context = Contexts.reactiveService(Library.PRESENT)) {
			WebHandler filters = FilterChains.of(context);
			doesNotGrow(() -> FilterChains.get(filters, Paths.COVERED));
		}
	}

	@Test
	void usersOfServletServiceAllocateNoMoreAfterManyRequests() throws Exception {
		try (ConfigurableApplicationContext context = Contexts.servletService(Library.PRESENT)) {
			ServletFilters filters = new ServletFilters(context);
			doesNotGrow(() -> filters.get("/rooms/lobby"));
		}
	}

	/** So that the tests above can fail. */
	@Test
	void whatGrowsIsFound() {
		List<byte[]> kept = new ArrayList<>();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> doesNotGrow(() -> {
			kept.add(new byte[16]);
			return new byte[2000 + kept.size() / 1000];
		})).withMessageContaining("bytes a request");
	}

	@Test
	void gatewayKeepsNoMoreAfterManyKindsOfRequest() {
		try (Gateway gateway = new Gateway(Library.MANY_KINDS)) {
			List<URI> paths = Paths.of(Library.MANY_KINDS);
			paths.subList(0, FEW / 10).forEach(gateway::get);
			int few = Kept.by(gateway.context()).size();
			paths.forEach(gateway::get);
			assertThat(Kept.by(gateway.context())).hasSizeLessThanOrEqualTo(few);
		}
	}

	private static void doesNotGrow(Callable<?> request) throws Exception {
		bytes(request, FEW);
		double few = bytes(request, FEW);
		bytes(request, MANY);
		assertThat(bytes(request, FEW)).as("bytes a request after %d more", MANY).isLessThanOrEqualTo(few + SLACK);
	}

	private static double bytes(Callable<?> request, int requests) throws Exception {
		long thread = Thread.currentThread().getId();
		long before = THREADS.getThreadAllocatedBytes(thread);
		for (int i = 0; i < requests; i++) {
			request.call();
		}
		return (double) (THREADS.getThreadAllocatedBytes(thread) - before) / requests;
	}

}
