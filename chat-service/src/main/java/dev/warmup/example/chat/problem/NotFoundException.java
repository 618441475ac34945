package dev.warmup.example.chat.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** No resource has the requested id; answered with 404. */
public class NotFoundException extends ErrorResponseException {

	/**
	 * Creates the exception.
	 * @param what the kind of resource, such as {@code room}
	 * @param id the unknown id
	 */
	public NotFoundException(String what, long id) {
		super(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "No %s has the id %d.".formatted(what, id)),
				null);
	}

}
