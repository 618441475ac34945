package dev.warmup.example.chat.problem;

import java.util.List;
import java.util.Objects;

import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.bind.support.WebExchangeBindException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * Answers rejected requests with problem details; a validation error also lists each
 * {@link InvalidField} under {@code errors}.
 */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

	@Override
	protected Mono<ResponseEntity<Object>> handleWebExchangeBindException(WebExchangeBindException ex,
			HttpHeaders headers, HttpStatusCode status, ServerWebExchange exchange) {
		List<InvalidField> errors = ex.getFieldErrors().stream().map(ProblemAdvice::invalid).toList();
		ex.getBody().setProperty("errors", errors);
		return handleExceptionInternal(ex, null, headers, status, exchange);
	}

	@Override
	protected Mono<ResponseEntity<Object>> handleHandlerMethodValidationException(HandlerMethodValidationException ex,
			HttpHeaders headers, HttpStatusCode status, ServerWebExchange exchange) {
		List<InvalidField> errors = ex.getParameterValidationResults()
			.stream()
			.flatMap((result) -> result.getResolvableErrors()
				.stream()
				.map((error) -> (error instanceof FieldError field) ? invalid(field)
						: new InvalidField(String.valueOf(result.getMethodParameter().getParameterName()),
								String.valueOf(error.getDefaultMessage()))))
			.toList();
		ex.getBody().setProperty("errors", errors);
		return handleExceptionInternal(ex, null, headers, status, exchange);
	}

	private static InvalidField invalid(FieldError error) {
		return new InvalidField(error.getField(), Objects.requireNonNullElse(error.getDefaultMessage(), "is invalid"));
	}

	/**
	 * One invalid value of a request.
	 *
	 * @param field the field or parameter, as named in the request
	 * @param message the violated constraint, such as {@code must not be blank}
	 */
	record InvalidField(String field, String message) {
	}

}
