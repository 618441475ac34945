package dev.warmup.e2e.adopter;

import org.jspecify.annotations.Nullable;

import org.springframework.security.crypto.password.PasswordEncoder;

/** Plain: five logins a second by bcrypt would take a processor. */
final class PlainPasswords implements PasswordEncoder {

	@Override
	public String encode(@Nullable CharSequence password) {
		return String.valueOf(password);
	}

	@Override
	public boolean matches(@Nullable CharSequence password, @Nullable String stored) {
		return String.valueOf(password).equals(stored);
	}

}
