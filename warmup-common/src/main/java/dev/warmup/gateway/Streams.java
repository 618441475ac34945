package dev.warmup.gateway;

import java.util.List;
import java.util.Locale;

import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** Knows answers that begin when there is something to tell, however fast the service. */
final class Streams {

	private static final String WEB_SOCKET = "websocket";

	private static final List<String> TYPES = List.of("text/event-stream", "application/x-ndjson",
			"application/stream+json", "application/grpc", "multipart/x-mixed-replace");

	private Streams() {
	}

	/**
	 * Tells whether an answer is a stream or a WebSocket.
	 * @param exchange a request whose answer is about to begin
	 * @return {@code true} by what the client asks for or the answer calls itself
	 */
	static boolean isStream(ServerWebExchange exchange) {
		if (WEB_SOCKET.equalsIgnoreCase(exchange.getRequest().getHeaders().getFirst(HttpHeaders.UPGRADE))) {
			return true;
		}
		String type = exchange.getResponse().getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		if (type != null) {
			String lower = type.toLowerCase(Locale.ROOT);
			for (String stream : TYPES) {
				if (lower.startsWith(stream)) {
					return true;
				}
			}
		}
		return false;
	}

}
