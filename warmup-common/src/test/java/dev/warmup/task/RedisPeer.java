package dev.warmup.task;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpServer;

/**
 * As much of a Redis server as a client needs to connect and to send a PING: it speaks
 * RESP2 over a real connection, as servers before 6.0 do, which know no HELLO.
 */
public final class RedisPeer implements AutoCloseable {

	private final List<String> commands = new CopyOnWriteArrayList<>();

	private final List<Connection> connections = new CopyOnWriteArrayList<>();

	/** Its own: an application that closes shuts those down that all share. */
	private final LoopResources loops = LoopResources.create("redis");

	private final DisposableServer server = TcpServer.create()
		.runOn(this.loops)
		.host("localhost")
		.port(0)
		.doOnConnection(this.connections::add)
		.handle(this::serve)
		.bindNow();

	/** Where it listens. */
	public int port() {
		return this.server.port();
	}

	/** The names of the commands it was sent. */
	public List<String> commands() {
		return this.commands;
	}

	/** How many connections it has had. */
	public int connections() {
		return this.connections.size();
	}

	/** A command is an array of bulk strings; clients here send whole lines in one. */
	private Mono<Void> serve(NettyInbound in, NettyOutbound out) {
		StringBuilder received = new StringBuilder();
		return out.sendString(in.receive().asString(StandardCharsets.UTF_8).map((part) -> {
			received.append(part);
			StringBuilder answers = new StringBuilder();
			for (String command = next(received); !command.isEmpty(); command = next(received)) {
				this.commands.add(command);
				answers.append(switch (command) {
					case "PING" -> "+PONG\r\n";
					case "HELLO" -> "-ERR unknown command 'HELLO'\r\n";
					default -> "+OK\r\n";
				});
			}
			return answers.toString();
		}).filter((answers) -> !answers.isEmpty())).then();
	}

	/** Takes a command off, or nothing while it is not complete. */
	private static String next(StringBuilder received) {
		Deque<String> lines = new ArrayDeque<>(List.of(received.toString().split("\r\n", -1)));
		if (lines.size() < 2) {
			return "";
		}
		int words = Integer.parseInt(lines.remove().substring(1));
		if (lines.size() <= 2 * words) {
			return "";
		}
		int length = received.indexOf("\r\n") + 2;
		String name = "";
		for (int i = 0; i < 2 * words; i++) {
			String line = lines.remove();
			length += line.length() + 2;
			name = (i == 1) ? line.toUpperCase(Locale.ROOT) : name;
		}
		received.delete(0, length);
		return name;
	}

	@Override
	public void close() {
		this.connections.forEach(Connection::dispose);
		this.server.disposeNow(Duration.ofSeconds(30));
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block(Duration.ofSeconds(30));
	}

}
