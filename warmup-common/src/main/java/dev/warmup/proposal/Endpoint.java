package dev.warmup.proposal;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JavaType;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.http.HttpEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A method and pattern of the application's request mappings, of either web stack.
 *
 * @param parameters the required parameters of the query
 * @param leftOut why it is not proposed; empty where it is
 */
record Endpoint(String method, PathPattern pattern, JavaType answer, Optional<JavaType> body, List<String> parameters,
		String leftOut) {

	/** A variable, also one with a regular expression, which may have braces itself. */
	static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)(?::(?:[^{}]|\\{[^{}]*})*)?}");

	private static final Logger logger = LoggerFactory.getLogger(Endpoint.class);

	private static final String ANY = "ANY";

	/**
	 * Those of a mapping; none for one of a framework, or of the error page.
	 * @param methods none for all
	 * @param mapping its conditions, as both stacks print them
	 */
	static Stream<Endpoint> of(Collection<String> patterns, Collection<?> methods, String mapping,
			HandlerMethod handler) {
		Stream<String> names = ClassUtils.getAllInterfacesForClassAsSet(handler.getBeanType())
			.stream()
			.map(Class::getSimpleName);
		if (handler.getBeanType().getName().matches("org\\.(springframework|springdoc)\\..*")
				|| names.anyMatch("ErrorController"::equals)) {
			return Stream.empty();
		}
		return patterns.stream()
			.flatMap((pattern) -> (methods.isEmpty() ? List.of(ANY) : methods).stream()
				.flatMap((method) -> read(method.toString(), pattern.isEmpty() ? "/" : pattern, mapping, handler)));
	}

	private static Stream<Endpoint> read(String method, String pattern, String mapping, HandlerMethod handler) {
		try {
			return Stream.of(of(method, pattern, mapping, handler));
		}
		catch (RuntimeException | LinkageError ex) { // such as a class that is missing
			logger.warn("{} {} cannot be proposed for the warm-up catalog", method, pattern, ex);
			return Stream.empty();
		}
	}

	private static Endpoint of(String method, String pattern, String mapping, HandlerMethod handler) {
		String leftOut = leftOut(method, pattern, mapping, mapping + handler.getMethod().toGenericString());
		List<String> parameters = new ArrayList<>();
		Optional<JavaType> body = Optional.empty();
		for (MethodParameter parameter : handler.getMethodParameters()) {
			parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
			if (parameter.hasParameterAnnotation(RequestBody.class)
					|| HttpEntity.class.isAssignableFrom(parameter.getParameterType())) {
				body = Optional.of(Skeleton.content(parameter, handler.getBeanType()));
			}
			required(parameter, RequestParam.class).ifPresent(parameters::add);
			leftOut = required(parameter, RequestHeader.class).map("it needs the header "::concat).orElse(leftOut);
		}
		return new Endpoint(method, PathPatternParser.defaultInstance.parse(pattern),
				Skeleton.content(handler.getReturnType(), handler.getBeanType()), body, parameters, leftOut);
	}

	private static String leftOut(String method, String pattern, String mapping, String types) {
		if (VARIABLE.matcher(pattern).replaceAll("").matches(".*[*?{}].*")) {
			return "its path has a wildcard";
		}
		if (types.matches(".*(multipart|form-urlencoded|http[.]Part).*")) {
			return "it takes a form or files";
		}
		if (types.matches(".*(event-stream|BodyEmitter|SseEmitter|StreamingRes|ServerSentEvent).*")) {
			return "its answer is a stream";
		}
		if (mapping.matches(".*(params|headers|version) \\[.*")) {
			return "it depends on parameters, headers, or a version";
		}
		return method.equals(ANY) ? "its mapping names no method" : "";
	}

	/** The name of a required value; empty where the annotation is absent, too. */
	private static Optional<String> required(MethodParameter parameter, Class<? extends Annotation> type) {
		MergedAnnotation<?> declared = MergedAnnotations.from(parameter.getParameterAnnotations()).get(type);
		return Optional.of(declared)
			.filter((each) -> each.isPresent() && each.getBoolean("required") && !parameter.isOptional()
					&& each.getString("defaultValue").equals(ValueConstants.DEFAULT_NONE))
			.map((each) -> each.getString("name").isEmpty() ? parameter.getParameterName() : each.getString("name"));
	}

	String path() {
		return this.pattern.getPatternString();
	}

	/** Whether a path fits, whose variables have any value. */
	boolean mayAnswer(PathContainer path) {
		return this.pattern.matches(path)
				|| PathPatternParser.defaultInstance.parse(VARIABLE.matcher(path()).replaceAll("{$1}")).matches(path);
	}

	/** Such as {@code GET /rooms/{id}}. */
	String key() {
		return this.method + " " + path();
	}

	boolean isSafe() {
		return List.of("GET", "HEAD", "OPTIONS").contains(this.method);
	}

	/** Whether it removes what another one makes, and both are proposed. */
	boolean removesFrom(Endpoint other) {
		return this.method.equals("DELETE") && other.method.equals("POST") && isProposed() && other.leftOut.isEmpty()
				&& shape(path()).equals(shape(other.path() + "/{id}"));
	}

	/** A path whatever its variables are called. */
	static String shape(String path) {
		return VARIABLE.matcher(path).replaceAll("{}");
	}

	/** Whether it is proposed, and has no required parameter. */
	boolean isProposed() {
		return this.leftOut.isEmpty() && this.parameters.isEmpty();
	}

	/** Whether it can be called as it is. */
	boolean isReady() {
		return isSafe() && isProposed() && this.body.isEmpty() && !path().contains("{");
	}

	/** The mappings of a web stack. */
	interface Source {

		Stream<Endpoint> read();

	}

}
