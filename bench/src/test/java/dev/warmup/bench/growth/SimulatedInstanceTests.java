package dev.warmup.bench.growth;

import java.util.Map;
import java.util.Optional;

import com.jayway.jsonpath.JsonPath;
import dev.warmup.traffic.WarmupClaim;
import dev.warmup.traffic.WarmupToken;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SimulatedInstanceTests {

	private final WarmupToken token = WarmupToken.of("an-agreed-token-of-tests");

	private final SimulatedInstance instance = new SimulatedInstance("fleet", "fleet-7", 9000, this.token);

	@Test
	void registersAsUpUnderItsNameAndService() {
		Map<String, Object> registered = JsonPath.read(this.instance.registration(), "$.instance");
		assertThat(registered).containsEntry("instanceId", "fleet-7")
			.containsEntry("app", "FLEET")
			.containsEntry("vipAddress", "fleet")
			.containsEntry("status", "UP")
			.containsEntry("port", Map.of("$", 9000, "@enabled", "true"));
	}

	@Test
	void publishesTheHashOfItsTokenAndNotTheToken() {
		String hash = JsonPath.read(this.instance.registration(), "$.instance.metadata['warmup-token-sha256']");
		assertThat(hash).isEqualTo(this.token.sha256()).matches("[0-9a-f]{64}");
		assertThat(this.instance.registration()).doesNotContain(this.token.value());
	}

	@Test
	void outlivesTheScenarioWithoutARenewal() {
		int lease = JsonPath.read(this.instance.registration(), "$.instance.leaseInfo.durationInSecs");
		assertThat(lease).isEqualTo(3600);
	}

	@Test
	void claimsARunByTheTokenWhoseHashItPublishes() {
		Optional<WarmupClaim> claim = WarmupClaim.parse(this.instance.claim("run-1"));
		assertThat(claim).contains(new WarmupClaim("fleet-7", Optional.of(this.token.value()), "run-1"));
		String hash = JsonPath.read(this.instance.registration(), "$.instance.metadata['warmup-token-sha256']");
		assertThat(claim.flatMap(WarmupClaim::token))
			.hasValueSatisfying((shown) -> assertThat(WarmupToken.hasHash(shown, hash)).isTrue());
	}

}
