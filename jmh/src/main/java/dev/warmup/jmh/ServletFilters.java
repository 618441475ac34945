package dev.warmup.jmh;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockFilterConfig;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockServletContext;

/**
 * The library's filters of a servlet service, as a server would take them from the
 * context for every request, and behind them 200, whatever is asked.
 */
final class ServletFilters {

	private static final String EVERY_REQUEST = "/*";

	private final ServletContext servletContext = new MockServletContext();

	private final List<Filter> filters;

	private final FilterChain chain;

	/**
	 * Puts the filters together.
	 * @param context the service
	 * @throws ServletException where a filter does not start
	 */
	ServletFilters(ApplicationContext context) throws ServletException {
		this.filters = new ServletContextInitializerBeans(context).stream()
			.flatMap((
					each) -> (each instanceof FilterRegistrationBean<?> registration && isForEveryRequest(registration))
							? Stream.<Filter>of(registration.getFilter()) : Stream.empty())
			.filter(Contexts::isOfTheLibrary)
			.toList();
		FilterChain last = ServletFilters::answer;
		for (int i = this.filters.size() - 1; i >= 0; i--) {
			Filter filter = this.filters.get(i);
			filter.init(new MockFilterConfig(this.servletContext, "filter-" + i));
			FilterChain next = last;
			last = (request, response) -> filter.doFilter(request, response, next);
		}
		this.chain = last;
	}

	private static boolean isForEveryRequest(FilterRegistrationBean<?> registration) {
		return registration.getUrlPatterns().isEmpty() || registration.getUrlPatterns().contains(EVERY_REQUEST);
	}

	private static void answer(ServletRequest request, ServletResponse response) {
		((HttpServletResponse) response).setStatus(HttpServletResponse.SC_OK);
	}

	/** What a request goes through, in this order. */
	List<Filter> filters() {
		return this.filters;
	}

	/**
	 * Sends a user's request.
	 * @param path what to get
	 * @return the status of the answer
	 * @throws ServletException where a filter fails
	 * @throws IOException where a filter fails
	 */
	int get(String path) throws ServletException, IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.chain.doFilter(new MockHttpServletRequest(this.servletContext, "GET", path), response);
		return response.getStatus();
	}

}
