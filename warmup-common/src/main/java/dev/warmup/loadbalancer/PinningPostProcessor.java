package dev.warmup.loadbalancer;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/**
 * Lets every supplier of instances, the application's own included, send pinned requests
 * to their instance: it caches, filters and weights below the pin. Where one supplier
 * delegates to another, both are wrapped, and the outer one decides.
 */
public final class PinningPostProcessor implements BeanPostProcessor {

	/**
	 * Name of the exchange attribute with the {@link ServiceInstance} that a request is
	 * pinned to.
	 */
	public static final String ATTRIBUTE = PinningPostProcessor.class.getName() + ".instance";

	private final ObjectProvider<AnnouncedInstances> announced;

	private final ObjectProvider<UserShares> shares;

	PinningPostProcessor(ObjectProvider<AnnouncedInstances> announced, ObjectProvider<UserShares> shares) {
		this.announced = announced;
		this.shares = shares;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof ServiceInstanceListSupplier supplier && !(bean instanceof PinnedInstanceSupplier))
				? new PinnedInstanceSupplier(supplier, this.announced.getObject(), this.shares.getObject()) : bean;
	}

	/**
	 * Sends a pinned request to its instance and to no other, and every other request
	 * where the delegate does, but to no instance that deregistered, and to one that is
	 * RAMPING only as often as its share of users is. Lists without a request are the
	 * delegate's own. A pinned request loads users' list as well, to warm what that
	 * takes, and discards it.
	 * <p>
	 * Opened instances are not added here, but below, by
	 * {@link BalancerContextConfiguration}, so that the delegate's choice by zone, hint,
	 * version or session applies to them too. A delegate with a list of its own, which
	 * does not come from discovery, is sent none that it left out.
	 */
	static final class PinnedInstanceSupplier extends DelegatingServiceInstanceListSupplier {

		/** How long a pinned request waits at most for users' list. */
		private static final Duration MAX_WAIT = Duration.ofSeconds(1);

		/** In the context of a delegate: the supplier above it shares out users. */
		private static final String OUTER = PinnedInstanceSupplier.class.getName() + ".outer";

		private final AnnouncedInstances announced;

		private final UserShares shares;

		PinnedInstanceSupplier(ServiceInstanceListSupplier delegate, AnnouncedInstances announced, UserShares shares) {
			super(delegate);
			this.announced = announced;
			this.shares = shares;
		}

		@Override
		public Flux<List<ServiceInstance>> get() {
			return this.delegate.get();
		}

		@Override
		@SuppressWarnings("rawtypes")
		public Flux<List<ServiceInstance>> get(Request request) {
			Flux<List<ServiceInstance>> users = Flux.deferContextual((context) -> this.delegate.get(request)
				.contextWrite((below) -> below.put(OUTER, true))
				.map((listed) -> amongRoutable(listed, context.hasKey(OUTER))));
			if (pin(request) instanceof ServiceInstance instance) {
				List<ServiceInstance> pinned = List.of(new MarkedInstance(instance, true));
				return users.next().timeout(MAX_WAIT, Mono.empty()).onErrorComplete().thenReturn(pinned).flux();
			}
			return users;
		}

		private List<ServiceInstance> amongRoutable(List<ServiceInstance> listed, boolean inner) {
			List<ServiceInstance> routable = this.announced.withoutDeregistered(listed);
			return inner ? routable : this.shares.among(routable);
		}

		@SuppressWarnings("rawtypes")
		private static @Nullable Object pin(Request request) {
			return (request.getContext() instanceof RequestDataContext context && context.getClientRequest() != null)
					? context.getClientRequest().getAttributes().get(ATTRIBUTE) : null;
		}

		/**
		 * Not for a pinned request: a delegate that prefers the instance chosen last
		 * would send users after it.
		 */
		@Override
		public void selectedServiceInstance(ServiceInstance serviceInstance) {
			if (!MarkedInstance.isPinned(serviceInstance)) {
				super.selectedServiceInstance(serviceInstance);
			}
		}

	}

}
