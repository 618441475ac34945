package dev.warmup.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The dashboard and the alerts query what running services publish. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MonitoringIT {

	private static final Path MONITORING = Stacks.ROOT.resolve("docker/monitoring");

	private static final Pattern STRING = Pattern.compile("\"[^\"]*\"");

	/** In an expression, whatever has an underscore and is no function or label. */
	private static final Pattern METRIC = Pattern.compile("\\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\\b(?!\\s*[(=!])");

	private static final Pattern GROUPING = Pattern
		.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");

	@Test
	void servicesPublishEachMetricOfTheDashboardAndTheAlerts() throws IOException {
		Set<String> used = new TreeSet<>();
		for (String expression : expressions()) {
			String plain = GROUPING.matcher(STRING.matcher(expression).replaceAll("")).replaceAll("");
			METRIC.matcher(plain).results().map((metric) -> metric.group(1)).forEach(used::add);
		}
		assertThat(used).contains("warmup_run_seconds_count").hasSizeGreaterThan(8);
		assertThat(published()).containsAll(used);
	}

	private static Set<String> published() {
		try (Stack stack = Stacks.warm(Stacks.counted("monitoring", 5))) {
			assertThat(stack.get(Stacks.ROOMS).status()).isEqualTo(200);
			Set<String> published = new TreeSet<>(Set.of("up"));
			for (App app : List.of(stack.registry(), stack.gateway(), stack.service())) {
				app.get("/actuator/prometheus")
					.body()
					.lines()
					.map((line) -> line.split("[{ ]")[0])
					.forEach(published::add);
			}
			return published;
		}
	}

	/** Those of panels, annotations and variables, and those of the alerts. */
	private static List<String> expressions() throws IOException {
		List<String> expressions = new ArrayList<>(dashboard().findValuesAsString("expr"));
		for (JsonNode variable : dashboard().at("/templating/list")) {
			expressions.add(variable.at("/query/query").asString().replaceAll("label_values\\((.+),.*", "$1"));
		}
		JsonNode alerts = YAMLMapper.shared().readTree(Files.readString(MONITORING.resolve("alerts.yml")));
		expressions.addAll(alerts.findValuesAsString("expr"));
		return expressions;
	}

	private static JsonNode dashboard() throws IOException {
		return JsonMapper.shared().readTree(Files.readString(MONITORING.resolve("grafana/dashboards/warmup.json")));
	}

}
