package dev.warmup.example.chat.user;

import java.util.Locale;

import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/**
 * What a new user tells.
 *
 * @param email must not be another user's; upper and lower case are the same
 * @param name as shown to others
 */
record SignUp(@NotBlank @Email @Size(max = 254) String email, @NotBlank @Size(max = 80) String name) {

	User toUser() {
		return new User(0, this.email.strip().toLowerCase(Locale.ROOT), this.name.strip());
	}

}
