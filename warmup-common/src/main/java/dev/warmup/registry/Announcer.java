package dev.warmup.registry;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;

import dev.warmup.protocol.Announcement;
import dev.warmup.protocol.Instance;
import dev.warmup.protocol.Token;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes what this instance announces to gateways that have no registry.
 *
 * @param address by default the one from which this instance connects to a gateway
 * @param base the base of this instance's paths at an address
 */
public record Announcer(Token.Secret secret, Instance.Source self, Optional<InetAddress> address,
		Function<InetAddress, URI> base, Clock timeOfDay) {

	/**
	 * Announces this instance to a gateway. Blocks while the gateway's name is resolved.
	 * @throws IOException if there is no way to the gateway
	 */
	public Signed announce(URI gateway) throws IOException {
		Instance instance = this.self.get();
		InetAddress here = this.address.isPresent() ? this.address.get() : localAddress(gateway);
		String body = JsonMapper.shared()
			.writeValueAsString(new Announcement(instance.service(), this.base.apply(here)));
		return new Signed(body, Announcement.sign(this.secret, instance.instanceId(),
				body.getBytes(StandardCharsets.UTF_8), this.timeOfDay.instant()));
	}

	/** Sends nothing. */
	private static InetAddress localAddress(URI gateway) throws IOException {
		try (DatagramSocket socket = new DatagramSocket()) {
			socket.connect(new InetSocketAddress(gateway.getHost(), (gateway.getPort() < 0) ? 443 : gateway.getPort()));
			return socket.getLocalAddress();
		}
	}

	/** An announcement as JSON, and its signature. */
	public record Signed(String body, String signature) {

	}

}
