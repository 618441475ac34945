package dev.warmup.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

import dev.warmup.bench.stack.App;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TcpProxyTests {

	private static final int TIMEOUT = 30_000;

	@Test
	void closesConnectionsWhileTheTargetRefusesAndServesLaterOnes() throws IOException {
		try (TcpProxy proxy = new TcpProxy();
				ServerSocket target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			proxy.to(App.freePort());
			try (Socket refused = connect(proxy); InputStream in = refused.getInputStream()) {
				assertThat(in.read()).isNegative();
			}
			proxy.to(target.getLocalPort());
			try (Socket served = connect(proxy);
					InputStream in = served.getInputStream();
					Socket accepted = target.accept();
					OutputStream out = accepted.getOutputStream()) {
				out.write('x');
				assertThat(in.read()).isEqualTo('x');
			}
		}
	}

	private static Socket connect(TcpProxy proxy) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
		socket.setSoTimeout(TIMEOUT);
		return socket;
	}

}
