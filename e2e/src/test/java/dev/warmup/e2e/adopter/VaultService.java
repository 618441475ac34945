package dev.warmup.e2e.adopter;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * A service on WebFlux that answers {@code GET /secrets} to who has a JWT of its own. It
 * names the instance that answered, and refuses traffic on request.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class VaultService {

	/** The same in all instances, so that each accepts the tokens of the others. */
	private static final byte[] KEY = "a key of 256 bits for the tests.".getBytes(StandardCharsets.UTF_8);

	private static final Duration LIFETIME = Duration.ofMinutes(5);

	private static final String BEARER = "Bearer ";

	@Bean
	RouterFunction<ServerResponse> vault(ApplicationContext context) {
		return RouterFunctions.route()
			.POST("/tokens", (request) -> ServerResponse.status(HttpStatus.CREATED).bodyValue(Map.of("token", issue())))
			.GET("/secrets",
					(request) -> isValid(request.headers().firstHeader(HttpHeaders.AUTHORIZATION))
							? ServerResponse.ok().bodyValue(Map.of("secret", 42))
							: ServerResponse.status(HttpStatus.UNAUTHORIZED).build())
			.GET("/instance",
					(request) -> ServerResponse.ok()
						.bodyValue(context.getEnvironment().getRequiredProperty("eureka.instance.instance-id")))
			.POST("/readiness/{state}", (request) -> {
				AvailabilityChangeEvent.publish(context, ReadinessState.valueOf(request.pathVariable("state")));
				return ServerResponse.noContent().build();
			})
			.build();
	}

	private static String issue() {
		SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256),
				new JWTClaimsSet.Builder().subject("user")
					.expirationTime(Date.from(Instant.now().plus(LIFETIME)))
					.build());
		try {
			token.sign(new MACSigner(KEY));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isValid(@Nullable String authorization) {
		if (authorization == null || !authorization.startsWith(BEARER)) {
			return false;
		}
		try {
			SignedJWT token = SignedJWT.parse(authorization.substring(BEARER.length()));
			return token.verify(new MACVerifier(KEY))
					&& token.getJWTClaimsSet().getExpirationTime().toInstant().isAfter(Instant.now());
		}
		catch (ParseException | JOSEException ex) {
			return false;
		}
	}

}
