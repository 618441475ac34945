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
 * stay, and nothing arrives, as with a network that loses its packets. It also can cut
 * the connections on which a certain text comes by.
 */
final class TcpProxy implements AutoCloseable {

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private volatile int target;

	private volatile boolean dropping;

	private volatile String refused = "";

	TcpProxy() throws IOException {
		start(() -> {
			while (true) {
				connect(this.server.accept());
			}
		});
	}

	/** Runs it until a socket is closed. */
	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				// closed, or the target refuses
			}
		}, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void connect(Socket from) throws IOException {
		this.sockets.add(from);
		start(() -> {
			try (from; Socket to = new Socket(InetAddress.getLoopbackAddress(), this.target)) {
				this.sockets.add(to);
				start(() -> copy(to, from));
				copy(from, to);
			}
		});
	}

	private void copy(Socket from, Socket to) throws IOException {
		byte[] buffer = new byte[8192];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				if (!this.refused.isEmpty()
						&& new String(buffer, 0, count, StandardCharsets.ISO_8859_1).contains(this.refused)) {
					return;
				}
				while (this.dropping) {
					App.sleep(Duration.ofSeconds(1));
				}
				out.write(buffer, 0, count);
			}
		}
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

	/** Cuts each connection on which a text is about to be handed on. */
	void refuse(String text) {
		this.refused = text;
	}

	@Override
	public void close() throws IOException {
		this.dropping = false;
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private interface Work {

		void run() throws IOException;

	}

}
