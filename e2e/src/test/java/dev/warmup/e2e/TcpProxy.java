package dev.warmup.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.warmup.bench.stack.App;

/**
 * A port that hands on what it receives, until it drops it: from then on the connections
 * stay, and nothing arrives, as with a network that loses its packets. It also can act at
 * the moment a certain text comes by.
 */
final class TcpProxy implements AutoCloseable {

	private static final int BUFFER = 8192;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final ServerSocket server;

	private volatile int target;

	private volatile boolean dropping;

	private volatile String trigger = "";

	private volatile Runnable onTrigger = () -> {
	};

	TcpProxy() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** Hands on to a port of this host. */
	void to(int port) {
		this.target = port;
	}

	/** Swallows everything from now on. */
	void drop() {
		this.dropping = true;
	}

	/** Runs something once a text is about to be handed on, which it then is not. */
	void on(String text, Runnable action) {
		this.onTrigger = action;
		this.trigger = text;
	}

	private void accept() {
		try {
			while (true) {
				connect(this.server.accept());
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void connect(Socket from) {
		this.sockets.add(from);
		try {
			Socket to = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(to);
			start(() -> copy(from, to));
			start(() -> copy(to, from));
		}
		catch (IOException ex) {
			close(from); // the target refuses
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// its client has gone
		}
	}

	private void copy(Socket from, Socket to) {
		byte[] buffer = new byte[BUFFER];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				if (!this.trigger.isEmpty()
						&& new String(buffer, 0, count, StandardCharsets.ISO_8859_1).contains(this.trigger)) {
					this.trigger = "";
					this.onTrigger.run();
					return;
				}
				while (this.dropping) {
					App.sleep(Duration.ofSeconds(1));
				}
				out.write(buffer, 0, count);
			}
		}
		catch (IOException ex) {
			// either end has closed its connection, and so does the other one now
		}
	}

	@Override
	public void close() throws IOException {
		this.dropping = false;
		this.server.close();
		this.sockets.forEach(TcpProxy::close);
	}

}
