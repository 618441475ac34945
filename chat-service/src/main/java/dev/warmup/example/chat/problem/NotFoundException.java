package dev.warmup.example.chat.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Nothing has the id that was asked for: answered with 404. */
public class NotFoundException extends ErrorResponseException {

	/**
	 * Names what is missing.
	 * @param what the kind of thing, such as {@code room}
	 * @param id the id nothing has
	 */
	public NotFoundException(String what, long id) {
		super(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "No %s has the id %d.".formatted(what, id)),
				null);
	}

}
