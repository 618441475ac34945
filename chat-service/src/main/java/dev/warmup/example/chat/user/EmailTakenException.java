package dev.warmup.example.chat.user;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Another user signed up with the same e-mail address: answered with 409. */
class EmailTakenException extends ErrorResponseException {

	EmailTakenException(Throwable cause) {
		super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"A user with this e-mail address has already signed up."), cause);
	}

}
