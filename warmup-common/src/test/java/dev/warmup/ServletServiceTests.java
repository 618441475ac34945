package dev.warmup;

import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A Spring MVC service on Tomcat, warmed. */
class ServletServiceTests extends ServiceContract {

	@Override
	RunningApplication start(String... properties) {
		return RunningApplication.service(ServletService.class, WebApplicationType.SERVLET, properties);
	}

	@Override
	boolean gatewayConfirmsRegistration() {
		return true;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@RestController
	static class ServletService {

		@GetMapping("/rooms")
		Mark list(HttpServletRequest request) {
			Object mark = request.getAttribute(WarmupContext.ATTRIBUTE);
			return new Mark(mark != null, (mark instanceof WarmupContext warmup) ? warmup.runId() : "");
		}

		@GetMapping("/rooms/{name}")
		Map<String, String> room(@PathVariable String name) {
			return Map.of("name", name);
		}

	}

}
