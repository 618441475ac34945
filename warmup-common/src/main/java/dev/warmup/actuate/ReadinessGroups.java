package dev.warmup.actuate;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/**
 * The application's health groups, with {@value #MEMBER} as one more member of the group
 * {@value #READINESS}, if there is one.
 */
final class ReadinessGroups implements HealthEndpointGroups, AdditionalPathsMapper {

	/** The health of the gate. */
	static final String MEMBER = "warmup";

	private static final String READINESS = "readiness";

	private final HealthEndpointGroups groups;

	ReadinessGroups(HealthEndpointGroups groups) {
		this.groups = groups;
	}

	@Override
	public HealthEndpointGroup getPrimary() {
		return this.groups.getPrimary();
	}

	@Override
	public Set<String> getNames() {
		return this.groups.getNames();
	}

	@Override
	public @Nullable HealthEndpointGroup get(String name) {
		HealthEndpointGroup group = this.groups.get(name);
		return (group != null && name.equals(READINESS)) ? new Readiness(group) : group;
	}

	@Override
	public @Nullable List<String> getAdditionalPaths(EndpointId endpointId, WebServerNamespace webServerNamespace) {
		return (this.groups instanceof AdditionalPathsMapper mapper)
				? mapper.getAdditionalPaths(endpointId, webServerNamespace) : null;
	}

	private record Readiness(HealthEndpointGroup group) implements HealthEndpointGroup {

		@Override
		public boolean isMember(String name) {
			return name.equals(MEMBER) || this.group.isMember(name);
		}

		@Override
		public boolean showComponents(SecurityContext securityContext) {
			return this.group.showComponents(securityContext);
		}

		@Override
		public boolean showDetails(SecurityContext securityContext) {
			return this.group.showDetails(securityContext);
		}

		@Override
		public StatusAggregator getStatusAggregator() {
			return this.group.getStatusAggregator();
		}

		@Override
		public HttpCodeStatusMapper getHttpCodeStatusMapper() {
			return this.group.getHttpCodeStatusMapper();
		}

		@Override
		public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
			return this.group.getAdditionalPath();
		}

	}

}
