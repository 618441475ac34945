package dev.warmup;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupContextTests {

	private static final WarmupContext MARK = new WarmupContext("host:1", "r-1");

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final ServletRequestAttributes attributes = new ServletRequestAttributes(this.request);

	@AfterEach
	void unbind() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void currentIsTheMarkOfTheThreadsRequestUntilThatIsOver() {
		assertThat(WarmupContext.current()).isEmpty();
		RequestContextHolder.setRequestAttributes(this.attributes);
		assertThat(WarmupContext.current()).isEmpty();
		this.request.setAttribute(WarmupContext.ATTRIBUTE, MARK);
		assertThat(WarmupContext.current()).contains(MARK);
		this.attributes.requestCompleted();
		assertThat(WarmupContext.current()).isEmpty();
	}

}
