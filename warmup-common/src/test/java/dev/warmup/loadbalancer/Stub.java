package dev.warmup.loadbalancer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;

import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/** A real server that answers everything with its name. */
final class Stub implements AutoCloseable {

	/** Keeps a port that nothing listens on. */
	private static final Socket SILENT = bound();

	private final String name;

	private final WireMockServer server;

	private Stub(String name, WireMockConfiguration configuration) {
		this.name = name;
		this.server = new WireMockServer(configuration);
		this.server.start();
		this.server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.ok(name)));
	}

	static Stub named(String name) {
		return new Stub(name, WireMockConfiguration.options().dynamicPort());
	}

	static Stub secure(String name) {
		return new Stub(name, WireMockConfiguration.options().httpDisabled(true).dynamicHttpsPort());
	}

	static Stub at(String address, String name) {
		return new Stub(name, WireMockConfiguration.options().bindAddress(address).dynamicPort());
	}

	/** An instance whose port nothing listens on. */
	static ServiceInstance gone(String service, String name) {
		return new DefaultServiceInstance(name, service, "localhost", SILENT.getLocalPort(), false);
	}

	private static Socket bound() {
		Socket socket = new Socket();
		try {
			socket.bind(new InetSocketAddress(0));
			return socket;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Answers below a path, and nowhere else. */
	Stub below(String path) {
		this.server.resetMappings();
		this.server.stubFor(WireMock.any(WireMock.urlPathMatching(path + "/.*")).willReturn(WireMock.ok(this.name)));
		return this;
	}

	ServiceInstance of(String service) {
		return of(service, "localhost", Map.of());
	}

	ServiceInstance of(String service, String host, Map<String, String> metadata) {
		boolean secure = this.server.isHttpsEnabled();
		return new DefaultServiceInstance(this.name, service, host,
				secure ? this.server.httpsPort() : this.server.port(), secure, metadata);
	}

	WireMockServer server() {
		return this.server;
	}

	@Override
	public void close() {
		this.server.stop();
	}

}
