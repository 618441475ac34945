package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.warmup.bench.stack.App;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A real PostgreSQL that goes away, and comes back where it was and with what it held.
 * Closing it stops it.
 */
final class Database implements AutoCloseable {

	private final int port = App.freePort();

	private final Path data;

	private EmbeddedPostgres postgres;

	Database(Path data) throws IOException {
		this.data = data;
		this.postgres = launch();
	}

	private EmbeddedPostgres launch() throws IOException {
		return EmbeddedPostgres.builder()
			.setPort(this.port)
			.setDataDirectory(this.data)
			.setCleanDataDirectory(false)
			.start();
	}

	/**
	 * What a chat-service needs to use it.
	 * @return the command that sets environment variables
	 */
	String[] settings() {
		return new String[] { "env", "SPRING_PROFILES_ACTIVE=postgres", "CHAT_DB_HOST=127.0.0.1",
				"CHAT_DB_PORT=" + this.port, "CHAT_DB_NAME=postgres", "CHAT_DB_USER=postgres",
				"CHAT_DB_PASSWORD=any: the test server trusts local users" };
	}

	/** Takes its leave of all who are connected. */
	void stop() throws IOException {
		this.postgres.close();
	}

	/** Starts it again. */
	void startAgain() throws IOException {
		this.postgres = launch();
	}

	/** Keeps its port and its connections, and answers nothing any more. */
	void freeze() throws IOException {
		signal("-STOP");
	}

	/** Goes on where it was frozen. */
	void thaw() throws IOException {
		signal("-CONT");
	}

	/** The postmaster first, so that it starts no others meanwhile. */
	private void signal(String signal) throws IOException {
		ProcessHandle postmaster = postmaster();
		if (!signal(signal, postmaster)) {
			throw new IOException("kill %s did not reach the postmaster".formatted(signal));
		}
		for (ProcessHandle child : postmaster.descendants().toList()) {
			if (!signal(signal, child) && child.isAlive()) {
				throw new IOException("kill %s did not reach process %d".formatted(signal, child.pid()));
			}
		}
	}

	/** As it says itself: what was started for it may be a wrapper that has ended. */
	private ProcessHandle postmaster() throws IOException {
		String pid = Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip();
		return ProcessHandle.of(Long.parseLong(pid)).orElseThrow(() -> new IOException("no postmaster " + pid));
	}

	private static boolean signal(String signal, ProcessHandle process) throws IOException {
		try {
			return new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.postgres.close();
	}

}
