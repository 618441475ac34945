package dev.warmup.web;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.warmup.WarmupContext;
import dev.warmup.discovery.ClaimVerifier;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.SignedClaim;
import dev.warmup.protocol.WarmupClaim;
import dev.warmup.protocol.WarmupKey;
import reactor.core.publisher.Mono;

/**
 * Classifies requests to a service by their headers {@value WarmupClaim#HEADER}.
 * Malformed and repeated headers are ignored. Thread-safe.
 */
final class ClaimCheck {

	/** For the key of another service, which is looked up once for each instance. */
	private static final Duration MARK_LIMIT = Duration.ofSeconds(2);

	private final Instance.Source self;

	private final WarmupKey key;

	private final ClaimVerifier verifier;

	private final boolean acceptUnsigned;

	private final Clock clock;

	/** By the instance's own key, and by the verifier the marks of other instances. */
	ClaimCheck(Instance.Source self, WarmupKey key, ClaimVerifier verifier, boolean acceptUnsigned, Clock clock) {
		this.self = self;
		this.key = key;
		this.verifier = verifier;
		this.acceptUnsigned = acceptUnsigned;
		this.clock = clock;
	}

	/** The id of this instance in discovery. */
	String instanceId() {
		return this.self.get().instanceId();
	}

	/**
	 * Classifies a request.
	 * @param headers the values of its header
	 * @return the result; never empty, never fails. A mark that cannot be verified counts
	 * as a user's request: nothing that users pay for is skipped for it
	 */
	Mono<Result> of(List<String> headers) {
		Optional<WarmupClaim> parsed = WarmupClaim.parse(headers);
		if (parsed.isEmpty()) {
			return Mono.just(Result.USER);
		}
		WarmupClaim claim = parsed.get();
		if (claim.jwt().isEmpty()) {
			return Mono.just(this.acceptUnsigned ? Result.marked(claim.toContext()) : Result.USER);
		}
		Optional<SignedClaim> content = claim.jwt().flatMap(SignedClaim::read);
		if (content.filter((each) -> each.scope() == SignedClaim.Scope.MARK).isPresent()) {
			return this.verifier.verify(claim, SignedClaim.Scope.MARK)
				.map((verification) -> (verification instanceof ClaimVerifier.Verification.Verified verified)
						? Result.marked(verified.claim().toContext()) : Result.USER)
				.timeout(MARK_LIMIT, Mono.just(Result.USER));
		}
		return Mono.just(content.filter((each) -> isOwn(each, claim))
			.map((each) -> new Result(true, false, Optional.of(claim.toContext())))
			.orElse(Result.MISDIRECTED));
	}

	/** Signed here, or, with a shared secret, by a gateway for this instance alone. */
	private boolean isOwn(SignedClaim content, WarmupClaim claim) {
		Instance instance = this.self.get();
		boolean meant = content.issuer().equals(instance.instanceId())
				|| content.audience().equals(instance.instanceId());
		return meant && content.scope() == SignedClaim.Scope.REPLAY && content.issuer().equals(claim.instanceId())
				&& content.runId().equals(claim.runId()) && content.isValidAt(this.clock.instant())
				&& this.key.verifies(claim.jwt().orElseThrow());
	}

	/**
	 * The result of a check.
	 *
	 * @param own whether it is warm-up of this instance, proved by its signature
	 * @param misdirected whether it is warm-up of another instance, or forged
	 * @param mark the mark for the application, of this instance's warm-up or of another
	 * service; empty for a user request
	 */
	record Result(boolean own, boolean misdirected, Optional<WarmupContext> mark) {

		static final Result USER = new Result(false, false, Optional.empty());

		static final Result MISDIRECTED = new Result(false, true, Optional.empty());

		static Result marked(WarmupContext context) {
			return new Result(false, false, Optional.of(context));
		}

		/** Whether it is warm-up of another service. */
		boolean foreign() {
			return !this.own && this.mark.isPresent();
		}

	}

}
