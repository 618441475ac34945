package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.warmup.bench.load.Sample;
import dev.warmup.bench.stack.Answer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import dev.warmup.e2e.adopter.ServiceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Hours of a small system with users, idle nights, restarts, faults and forged claims:
 * nothing grows, users see no error that no fault explains, no run passes its deadline,
 * registry and probes agree, and no log has a secret. Run by {@code e2e/soak}. The first
 * instance of each kind lives as long as the soak, and is measured; the second ones are
 * restarted and killed.
 */
@Tag("soak")
@Timeout(value = 30, unit = TimeUnit.HOURS)
class SoakIT {

	private static final Duration LENGTH = Duration
		.ofMinutes(Math.round(60 * Double.parseDouble(System.getProperty("soak.hours", "2"))));

	private static final Duration SAMPLES_EVERY = Duration.ofMinutes(2);

	private static final Duration FAULT_EVERY = Duration.ofMinutes(30);

	/**
	 * Each kind of fault comes once within the first tenth of two hours, so that what it
	 * creates once is not taken for growth.
	 */
	private static final Duration FIRST_FAULT = Duration.ofSeconds(210);

	private static final Duration FIRST_FAULTS_EVERY = Duration.ofMinutes(2);

	private static final int KINDS_OF_FAULTS = 4;

	/** After the end of a fault, until its errors have come to an end. */
	private static final Duration AFTERMATH = Duration.ofSeconds(20);

	private static final Duration DEADLINE = Duration.ofSeconds(120);

	private static final Duration DISAGREEMENT = Duration.ofSeconds(5);

	/** The records of runs that a service keeps. */
	private static final int RUNS_KEPT = 20;

	private static final Duration SECOND = Duration.ofSeconds(1);

	/** A signed claim, a user's token, or any other compact JWS. */
	private static final Pattern SECRET = Pattern.compile("eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{10,}");

	private static final String HEAP = "heap, MB";

	/**
	 * What a figure may rise by although nothing leaks: pools of threads and connections,
	 * arenas of memory. One thing lost a restart or a fault would be 30 in two hours, one
	 * lost a run hundreds.
	 */
	private static final Map<String, Double> NOISE = Map.of(HEAP, 1.0, "direct memory, MB", 1.0, "threads", 10.0,
			"sockets", 15.0, "objects of the library", 25.0, "tokens and keys", 25.0, "meter series", 25.0);

	private final Random random = new Random(16);

	private final Map<String, Map<String, SoakSeries>> series = new LinkedHashMap<>();

	private final Map<String, Map<String, Long>> threads = new TreeMap<>();

	/** The objects of the library by class, after a tenth of the time and at the end. */
	private final Map<String, List<Map<String, Integer>>> objects = new TreeMap<>();

	private final Map<String, Instant> disagreeing = new TreeMap<>();

	private final List<String> events = new ArrayList<>();

	private final List<String> failures = new ArrayList<>();

	private final List<Instant[]> faults = new ArrayList<>();

	private final List<App> apps = new ArrayList<>();

	private int restarts;

	private Instant start = Instant.MIN;

	private Instant pausedUntil = Instant.MIN;

	@Test
	void nothingGrowsAndNobodyMeetsAnError() throws IOException {
		try (Stack stack = stack()) {
			this.apps.addAll(stack.services());
			for (String name : List.of(ServiceProcess.ACCOUNTS, ServiceProcess.VAULT)) {
				for (int i = 1; i <= 2; i++) {
					this.apps.add(stack.addOther(name + "-" + i, ServiceProcess.options(name), ServiceProcess
						.arguments(name, 20, "--warmup.idle.after=1m", "--warmup.idle.check-every=10s")));
				}
			}
			this.apps.forEach((app) -> app.awaitReady(Stacks.SOON));
			stack.gateways().forEach((gateway) -> gateway.awaitReady(Stacks.SOON));
			for (App gateway : stack.gateways()) {
				for (String path : List.of(Stacks.ROOMS, "/accounts/x", "/vault/x")) {
					gateway.await(path, Stacks.SOON, () -> gateway.get(path).status() < 500);
				}
			}
			List.of(this.apps.get(0), this.apps.get(2), this.apps.get(4)).forEach(SoakIT::fillHistory);
			try (SoakUsers users = SoakUsers.start(stack.gateways())) {
				this.start = Instant.now();
				live(stack, users);
				judge(stack, users);
				report(users);
			}
		}
		assertThat(this.failures).isEmpty();
	}

	private static Stack stack() {
		Stack.Builder builder = Stacks
			.counted("soak", 20, "60s", "--warmup.idle.after=1m", "--warmup.idle.check-every=10s")
			.registries(2)
			.gateways(2)
			.services(2);
		for (String service : List.of(Stack.REGISTRY, Stack.GATEWAY, Stack.SERVICE)) {
			builder.jvm(service, "-Xmx192m", "-XX:+UseSerialGC");
		}
		return builder.start();
	}

	/** Has it run until it keeps no more records of runs, which are no growth. */
	private static void fillHistory(App app) {
		await().atMost(Duration.ofMinutes(15)).pollInterval(SECOND).until(() -> {
			Answer.send(request(app, Stacks.WARMUP).header("Cookie", "XSRF-TOKEN=soak")
				.header("X-XSRF-TOKEN", "soak")
				.POST(HttpRequest.BodyPublishers.noBody()));
			Answer status = get(app, Stacks.WARMUP);
			return status.status() == 200 && status.<List<?>>read("$.runs").size() == RUNS_KEPT;
		});
	}

	private void live(Stack stack, SoakUsers users) {
		Instant nextSamples = this.start;
		Instant nextRestart = this.start.plus(Duration.ofMinutes(3));
		Instant nextFault = this.start.plus(FIRST_FAULT);
		for (int fault = 0; elapsed().compareTo(LENGTH) < 0;) {
			Instant now = Instant.now();
			if (now.isAfter(nextSamples)) {
				sample(stack, users);
				nextSamples = nextSamples.plus(SAMPLES_EVERY);
			}
			if (now.isAfter(nextFault)) {
				fault(fault++, stack);
				nextFault = nextFault.plus((fault < KINDS_OF_FAULTS) ? FIRST_FAULTS_EVERY : FAULT_EVERY);
			}
			else if (now.isAfter(nextRestart)) {
				restart(stack, users);
				nextRestart = Instant.now().plusSeconds(180 + this.random.nextInt(120));
			}
			compare(stack);
			App.sleep(SECOND);
		}
	}

	private Duration elapsed() {
		return Duration.between(this.start, Instant.now());
	}

	private double minute() {
		return elapsed().toMillis() / 60_000.0;
	}

	private void event(String what) {
		this.events.add(String.format(Locale.ROOT, "%.1f min: %s", minute(), what));
	}

	/**
	 * Stops one of the second instances and starts it again, as a deployment does; the
	 * gateway first, since what services create once for a gateway that starts is no
	 * growth either.
	 */
	private void restart(Stack stack, SoakUsers users) {
		List<App> candidates = List.of(stack.gateways().get(1), this.apps.get(1), this.apps.get(3), this.apps.get(5));
		App app = candidates.get(this.restarts++ == 0 ? 0 : this.random.nextInt(candidates.size()));
		event("restart of " + app.name());
		boolean gateway = stack.gateways().contains(app);
		if (gateway) {
			users.takeOut(app);
			App.sleep(Duration.ofSeconds(3));
		}
		app.restart();
		app.awaitReady(Stacks.SOON);
		if (gateway) {
			App.sleep(Duration.ofSeconds(3)); // as a load balancer's health check does
			users.putBack(app);
		}
		this.disagreeing.clear();
	}

	private void fault(int number, Stack stack) {
		Instant from = Instant.now();
		switch (number % KINDS_OF_FAULTS) {
			case 0 -> {
				event("kill -9 of chat-service-2");
				this.apps.get(1).kill();
				App.sleep(Duration.ofSeconds(30));
				this.apps.get(1).restart();
				this.apps.get(1).awaitReady(Stacks.SOON);
			}
			case 1 -> {
				event("one of two registries away for a minute");
				stack.registries().get(1).stop();
				App.sleep(Duration.ofMinutes(1));
				stack.registries().get(1).restart();
				stack.registries().get(1).awaitUp(Stacks.SOON);
				App.sleep(Duration.ofSeconds(15)); // it comes back empty
			}
			case 2 -> pause(this.apps.get(5));
			default -> pause(stack.registries().get(0));
		}
		this.faults.add(new Instant[] { from, Instant.now().plus(AFTERMATH) });
		this.disagreeing.clear();
		this.pausedUntil = Instant.now().plus(AFTERMATH);
	}

	private void pause(App app) {
		event("SIGSTOP of " + app.name() + " for 30 s");
		app.pause();
		App.sleep(Duration.ofSeconds(30));
		app.resume();
	}

	/**
	 * Probe, registry and gateway, where they differ for longer than a moment. A gateway
	 * that was restarted knows an instance as WARMING that takes users, so that only the
	 * one that lasts is asked.
	 */
	private void compare(Stack stack) {
		if (Instant.now().isBefore(this.pausedUntil)) {
			return;
		}
		Map<String, String> registered = new TreeMap<>();
		for (String service : List.of("CHAT-SERVICE", "ACCOUNTS", "VAULT")) {
			registered.putAll(Stacks.registered(stack, service));
		}
		Answer fleet = get(stack.gateway(), Stacks.WARMUP);
		for (App app : this.apps) {
			boolean open = app.get(Stacks.READY).status() == 200;
			String id = "127.0.0.1:" + app.port();
			boolean up = "UP".equals(registered.get(id));
			List<String> phases = fleet.<List<String>>find("$.fleet[?(@.instanceId == '" + id + "')].phase")
				.orElse(List.of());
			boolean warmed = phases.stream().noneMatch(List.of("COLD", "WARMING")::contains) && !phases.isEmpty();
			if (open == up && open == warmed) {
				this.disagreeing.remove(id);
				continue;
			}
			Instant since = this.disagreeing.computeIfAbsent(id, (key) -> Instant.now());
			if (Duration.between(since, Instant.now()).compareTo(DISAGREEMENT) > 0) {
				this.failures.add(String.format(Locale.ROOT, "%.1f min: %s: probe %s, registry %s, gateway %s",
						minute(), app.name(), open, registered.get(id), phases));
				this.disagreeing.put(id, Instant.now());
			}
		}
	}

	private void sample(Stack stack, SoakUsers users) {
		put("users", "a second", users.perSecond());
		List<App> lasting = List.of(stack.registry(), stack.gateway(), this.apps.get(0), this.apps.get(2),
				this.apps.get(4));
		for (App app : lasting) {
			Jvm jvm = Jvm.of(app);
			put(app.name(), HEAP, jvm.heap() / 1e6);
			put(app.name(), "objects of the library", jvm.objects());
			put(app.name(), "tokens and keys", jvm.credentials());
			if (elapsed().compareTo(LENGTH.dividedBy(10)) > 0) {
				this.objects.merge(app.name(), List.of(jvm.library()),
						(known, last) -> List.of(known.get(0), last.get(0)));
			}
			put(app.name(), "permits held", jvm.permits());
			put(app.name(), "threads", jvm.threads());
			this.threads.put(app.name(),
					jvm.threadNames()
						.stream()
						.collect(Collectors.groupingBy((name) -> name, TreeMap::new, Collectors.counting())));
			put(app.name(), "sockets", sockets(app));
			Answer buffers = get(app, "/actuator/metrics/jvm.buffer.memory.used?tag=id:direct");
			put(app.name(), "direct memory, MB", (buffers.status() == 200)
					? buffers.<Number>read("$.measurements[0].value").doubleValue() / 1e6 : 0);
			Answer meters = get(app, "/actuator/prometheus");
			if (meters.status() == 200) {
				// without the buckets of histograms, dozens for each new status
				Stream<String> series = meters.body().lines().filter((line) -> !line.matches("#.*|.*_bucket\\{.*"));
				put(app.name(), "meter series", series.count());
			}
		}
		Answer rooms = this.apps.get(0).get("/rooms");
		if (rooms.status() == 200) {
			put("chat-service-1", "rooms", rooms.<List<?>>read("$[*]").size());
		}
		for (App app : this.apps) {
			Answer status = get(app, Stacks.WARMUP);
			List<String> runs = (status.status() == 200) ? status.read("$.runs[*].took") : List.of();
			for (String took : runs) {
				if (Duration.parse(took).compareTo(DEADLINE) > 0) {
					this.failures.add("a run of %s took %s".formatted(app.name(), took));
				}
			}
		}
	}

	/** As the user whom accounts asks for. */
	private static Answer get(App app, String path) {
		return Answer.send(request(app, path));
	}

	private static HttpRequest.Builder request(App app, String path) {
		return HttpRequest.newBuilder(URI.create(app.url(path))).header("Authorization", SoakUsers.BASIC);
	}

	private void put(String process, String what, double value) {
		this.series.computeIfAbsent(process, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(what, (key) -> new SoakSeries(NOISE.getOrDefault(what, 0.0)))
			.add(minute(), value);
	}

	private static long sockets(App app) {
		try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(app.pid()), "fd"))) {
			return files.filter((file) -> {
				try {
					return Files.readSymbolicLink(file).toString().startsWith("socket:");
				}
				catch (IOException ex) {
					return false; // closed meanwhile
				}
			}).count();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void judge(Stack stack, SoakUsers users) {
		this.series.forEach((process, figures) -> figures.forEach((what, figure) -> {
			if (!process.equals("users") && figure.grows()) {
				this.failures.add("%s, %s grows: %s".formatted(process, what, figure.describe()));
			}
		}));
		if (users.haveStopped()) {
			this.failures.add("the users have stopped sending");
		}
		users.errors()
			.stream()
			.filter((error) -> !explained(error))
			.forEach((error) -> this.failures.add(error.toString()));
		Stream.of(stack.registries(), stack.gateways(), this.apps).flatMap(List::stream).forEach((app) -> {
			String log = app.logText();
			if (SECRET.matcher(log).find() || log.contains(users.secret())) {
				this.failures.add("a secret in the log of " + app.name());
			}
		});
	}

	private boolean explained(Sample error) {
		return this.faults.stream()
			.anyMatch((fault) -> error.end().isAfter(fault[0]) && error.start().isBefore(fault[1]));
	}

	private static String changes(Map<String, Integer> from, Map<String, Integer> to) {
		return Stream.concat(from.keySet().stream(), to.keySet().stream())
			.distinct()
			.sorted()
			.filter((name) -> !from.getOrDefault(name, 0).equals(to.getOrDefault(name, 0)))
			.map((name) -> "%s %d to %d".formatted(name.substring(name.lastIndexOf('.') + 1),
					from.getOrDefault(name, 0), to.getOrDefault(name, 0)))
			.collect(Collectors.joining(", "));
	}

	private void report(SoakUsers users) throws IOException {
		Path directory = Files.createDirectories(Path.of("target", "e2e", "soak-report"));
		StringBuilder report = new StringBuilder("# Soak\n\n");
		List<Sample> errors = users.errors();
		report.append(String.format(Locale.ROOT,
				"""
						%.1f hours: two registries, two gateways, three services of two instances each, %d answers to users, of \
						which %d errors in faults and %d others; %d forged claims; a stream opened %d times, with %d lines; %d \
						restarts and faults. %s

						""",
				elapsed().toMinutes() / 60.0, users.answers(), errors.stream().filter(this::explained).count(),
				errors.stream().filter((error) -> !explained(error)).count(), users.forged(), users.streams(),
				users.events(), this.events.size(), this.failures.isEmpty() ? "Passed." : "**Failed.**"));
		this.failures.forEach((failure) -> report.append("- ").append(failure).append('\n'));
		report.append("\n| process | figure | mean | rise after the first tenth ± its standard error | grows |\n");
		report.append("| --- | --- | --- | --- | --- |\n");
		this.series
			.forEach((process, figures) -> figures.forEach((what, figure) -> report.append("| %s | %s | %s | %s |\n"
				.formatted(process, what, figure.describe(), figure.grows() ? "**yes**" : "no"))));
		report.append("\n![heap after full collections](soak.png)\n\n## Restarts and faults\n\n");
		this.events.forEach((event) -> report.append("- ").append(event).append('\n'));
		report
			.append("\n## Objects of the library that became more or fewer, after the first tenth and at the end\n\n");
		this.objects.forEach((process, counts) -> report
			.append("- %s: %s\n".formatted(process, changes(counts.get(0), counts.get(counts.size() - 1)))));
		report.append("\n## Threads at the end\n\n");
		this.threads.forEach((process, names) -> report.append("- %s: %s\n".formatted(process, names)));
		Files.writeString(directory.resolve("soak.md"), report);
		StringBuilder samples = new StringBuilder("process,figure,minute,value\n");
		this.series.forEach((process, figures) -> figures.forEach((what, figure) -> {
			for (int i = 0; i < figure.minutes().size(); i++) {
				samples.append(String.format(Locale.ROOT, "%s,\"%s\",%.1f,%.2f%n", process, what,
						figure.minutes().get(i), figure.values().get(i)));
			}
		}));
		Files.writeString(directory.resolve("soak.csv"), samples);
		XYChart chart = new XYChartBuilder().title("Heap after full collections, and users a second")
			.xAxisTitle("minutes")
			.yAxisTitle("MB, users a second")
			.width(1000)
			.height(460)
			.build();
		this.series.forEach((process, figures) -> {
			SoakSeries figure = process.equals("users") ? figures.get("a second") : figures.get(HEAP);
			chart.addSeries(process, figure.minutes(), figure.values()).setMarker(SeriesMarkers.NONE);
		});
		BitmapEncoder.saveBitmap(chart, directory.resolve("soak").toString(), BitmapEncoder.BitmapFormat.PNG);
	}

}
