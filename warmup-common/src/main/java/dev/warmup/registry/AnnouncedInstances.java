package dev.warmup.registry;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Token;
import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.core.Ordered;

/**
 * The instances that have announced themselves to this gateway, where it has no registry:
 * each until it neither answers looks nor has announced itself for half a minute, which
 * it does three times. In discovery behind all that other clients list. Thread-safe.
 */
public final class AnnouncedInstances implements Registry, ReactiveDiscoveryClient {

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** Longer than the interval at which instances announce themselves. */
	private static final Duration SETTLED = Duration.ofSeconds(15);

	private static final int MAX_INSTANCES = 10_000;

	private static final Pattern SERVICE = Pattern.compile("[\\w.-]{1,100}");

	/** Its host is no name, and no segment of its path begins with a dot. */
	private static final Pattern ADDRESS = Pattern
		.compile("(https?)://([\\d.]+|\\[[\\da-fA-F:.]+]):([1-9]\\d{0,4})((?:/[\\w~-][\\w.~-]{0,99}){0,5})");

	private final Token.Secret secret;

	private final Clock clock;

	private final Clock timeOfDay;

	private final Map<String, Lease> leases = new ConcurrentHashMap<>();

	/** When the first was announced. */
	private volatile @Nullable Instant first;

	/** Creates it with what measures time, and the time of day to sign for. */
	public AnnouncedInstances(Token.Secret secret, Clock clock, Clock timeOfDay) {
		this.secret = secret;
		this.clock = clock;
		this.timeOfDay = timeOfDay;
	}

	/**
	 * Takes what an instance announces; the newest counts.
	 * @param body an {@link Announcement} as JSON
	 * @param gateway where this gateway received it
	 * @return why it is refused, or an empty text
	 */
	public String announce(String instanceId, byte[] body, @Nullable String signature,
			@Nullable InetSocketAddress gateway) {
		if (signature == null
				|| !Announcement.isSigned(this.secret, instanceId, body, signature, this.timeOfDay.instant())) {
			return "its news is not signed with this gateway's warmup.secret as of now: compare secrets and clocks";
		}
		try {
			Announcement announced = JsonMapper.shared().readValue(body, Announcement.class);
			Lease lease = new Lease(registered(instanceId, announced, gateway), this.clock.instant().plus(LEASE));
			if (this.leases.size() < MAX_INSTANCES || this.leases.containsKey(instanceId)) {
				this.leases.put(instanceId, lease);
				this.first = (this.first != null) ? this.first : this.clock.instant();
				return "";
			}
			return "there are too many instances";
		}
		catch (JacksonException | NullPointerException | IllegalArgumentException ex) {
			return "it must announce a service, and an address such as http://10.0.3.7:8080/path, that is neither "
					+ "loopback, link-local, multicast, unspecified nor this gateway's own";
		}
	}

	private static Registered registered(String id, Announcement announced, @Nullable InetSocketAddress gateway) {
		Matcher uri = ADDRESS.matcher(announced.address().toString());
		InetAddress host = uri.matches() ? NetUtil.createInetAddressFromIpAddressString(uri.group(2)) : null;
		if (host == null || !mayBe(new InetSocketAddress(host, announced.address().getPort()), gateway)
				|| !SERVICE.matcher(announced.service()).matches()) {
			throw new IllegalArgumentException("No service, or no address to look at");
		}
		Map<String, String> metadata = Map.of(Registered.METADATA_KEY, Registered.metadata(false, uri.group(4)));
		ServiceInstance address = new DefaultServiceInstance(id, announced.service(), NetUtil.toAddressString(host),
				announced.address().getPort(), uri.group(1).equals("https"), metadata);
		return new Registered(new Instance(announced.service(), id), address, Registered.Status.ANNOUNCED);
	}

	/** An IPv4 address within an IPv6 address is that IPv4 address here. */
	private static boolean mayBe(InetSocketAddress address, @Nullable InetSocketAddress gateway) {
		InetAddress host = address.getAddress();
		if (host.isLoopbackAddress()) {
			return gateway != null && gateway.getAddress().isLoopbackAddress()
					&& gateway.getPort() != address.getPort();
		}
		return !host.isLinkLocalAddress() && !host.isMulticastAddress() && !host.isAnyLocalAddress()
				&& !address.equals(gateway);
	}

	@Override
	public List<Registered> instances() {
		return this.leases.values().stream().map(Lease::registered).toList();
	}

	/** Forgets one that does not announce itself anymore either. */
	@Override
	public void gone(String instanceId) {
		Instant now = this.clock.instant();
		this.leases.computeIfPresent(instanceId, (id, lease) -> now.isBefore(lease.until()) ? lease : null);
	}

	/** Once all others have had the time to announce themselves, too. */
	@Override
	public boolean isRead() {
		Instant since = this.first;
		return since != null && !this.clock.instant().isBefore(since.plus(SETTLED));
	}

	@Override
	public String description() {
		return "instances that announced themselves to this gateway";
	}

	/** Whatever their gates: a gateway corrects what its load balancers get. */
	@Override
	public Flux<ServiceInstance> getInstances(String service) {
		return Flux.fromStream(() -> instances().stream())
			.filter((each) -> each.instance().service().equalsIgnoreCase(service))
			.map(Registered::address);
	}

	@Override
	public Flux<String> getServices() {
		return Flux.fromStream(() -> instances().stream()).map((each) -> each.instance().service()).distinct();
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	private record Lease(Registered registered, Instant until) {

	}

}
