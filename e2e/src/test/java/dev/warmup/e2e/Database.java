package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import dev.warmup.bench.stack.App;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A real PostgreSQL that goes away, and comes back where it was with what it held. */
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

	/** The command that sets what a chat-service needs to use it. */
	String[] settings() {
		return new String[] { "env", "SPRING_PROFILES_ACTIVE=postgres", "CHAT_DB_HOST=127.0.0.1",
				"CHAT_DB_PORT=" + this.port, "CHAT_DB_NAME=postgres", "CHAT_DB_USER=postgres",
				"CHAT_DB_PASSWORD=any: the test server trusts local users" };
	}

	void stop() throws IOException {
		this.postgres.close();
	}

	void startAgain() throws IOException {
		this.postgres = launch();
	}

	/** Keeps its port and its connections, and answers nothing any more. */
	void freeze() throws IOException {
		signal("-STOP");
	}

	void thaw() throws IOException {
		signal("-CONT");
	}

	/** The postmaster first, so that it starts no others meanwhile. */
	private void signal(String signal) throws IOException {
		// as it says itself: what was started for it may be a wrapper that has ended
		String pid = Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip();
		ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
		for (ProcessHandle process : Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList()) {
			int status = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start()
				.onExit()
				.join()
				.exitValue();
			if (status != 0 && process.isAlive()) {
				throw new IOException("kill %s did not reach process %d".formatted(signal, process.pid()));
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.postgres.close();
	}

}
