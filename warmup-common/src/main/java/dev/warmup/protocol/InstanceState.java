package dev.warmup.protocol;

import java.util.Optional;
import java.util.Set;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an instance says of itself at {@value #PATH}: the one thing that gateways believe
 * of a service, and services of a gateway, because they read it at the address that the
 * registry has.
 *
 * @param instanceId the instance's name in discovery
 * @param service the name of its service
 * @param boot a random name of the process: another one after a restart
 * @param phase how warm it is
 * @param gate whether its gate is open
 * @param accepting whether the application accepts users as far as anything but its gate
 * is concerned
 * @param leaving whether it is about to stop, and users should go elsewhere
 * @param tokenHash the {@linkplain Token#hash hash} of the token that its run's requests
 * carry through the gateway that asks; empty without a run
 * @param wants the services from which a gateway wants a run; empty at services
 * @param answer the answer to {@value #WANTS_PARAMETER}; empty where it was not asked
 * @param run the run under way, otherwise the last one, without its requests
 */
public record InstanceState(String instanceId, String service, String boot, Phase phase, GatePosition gate,
		boolean accepting, boolean leaving, Optional<String> tokenHash, Set<String> wants, Optional<RunAnswer> answer,
		Optional<RunRecord> run) {

	/** Where an application answers with its state. */
	public static final String PATH = "/.warmup/state";

	/** Query parameter: the instance id of the gateway that asks, or of the service. */
	public static final String GATEWAY_PARAMETER = "gateway";

	/** Query parameter: {@code true} where the gateway that asks wants to be warmed. */
	public static final String WANTS_PARAMETER = "wants";

	/** Query parameter: what the gateway strips from paths, if it knows. */
	public static final String PREFIX_PARAMETER = "prefix";

	/** The most bytes that are read of a state. */
	public static final int MAX_BYTES = 64 * 1024;

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.build();

	public InstanceState {
		wants = Set.copyOf(wants);
	}

	/** Whether users may be sent to it. */
	public boolean takesUsers() {
		return this.gate == GatePosition.OPEN && this.accepting && !this.leaving;
	}

	public Instance instance() {
		return new Instance(this.service, this.instanceId);
	}

	/** The state as JSON, in UTF-8. */
	public byte[] toJson() {
		return MAPPER.writeValueAsBytes(this);
	}

	/**
	 * Reads a state, from anyone.
	 * @throws IllegalArgumentException if this is not a state
	 */
	public static InstanceState fromJson(byte[] json) {
		try {
			InstanceState state = MAPPER.readValue(json, InstanceState.class);
			if (state == null) {
				throw new IllegalArgumentException("The state is null");
			}
			return state;
		}
		catch (JacksonException | NullPointerException ex) {
			throw new IllegalArgumentException("Not the state of an instance", ex);
		}
	}

}
