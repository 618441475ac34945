package dev.warmup.service;

import java.util.Collection;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** Exchanges of HTTP in reactive code. */
public final class Exchanges {

	private Exchanges() {
	}

	/**
	 * The exchange without these headers in its request: with the objects of the server
	 * as in users' requests, since what the JVM compiles for warm-up has to fit them.
	 * Only where the server does not let headers be changed is the request another one.
	 */
	public static ServerWebExchange without(Collection<String> names, ServerWebExchange exchange) {
		HttpHeaders headers = exchange.getRequest().getHeaders();
		return (!containsAny(headers, names) || isRemoved(names, headers)) ? exchange
				: exchange.mutate().request((request) -> request.headers((all) -> names.forEach(all::remove))).build();
	}

	/** Reads a body, and releases it. */
	public static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	/** Called for every request. */
	private static boolean containsAny(HttpHeaders headers, Collection<String> names) {
		for (String name : names) {
			if (headers.containsHeader(name)) {
				return true;
			}
		}
		return false;
	}

	/** A copy drops the read-only view alone: it shares the server's own headers. */
	private static boolean isRemoved(Collection<String> names, HttpHeaders headers) {
		try {
			names.forEach(new HttpHeaders(headers)::remove);
			return !containsAny(headers, names);
		}
		catch (UnsupportedOperationException | IllegalStateException ex) {
			return false; // the server's headers are immutable
		}
	}

}
