package dev.warmup.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The files of the compose profile {@code monitoring}. */
final class Monitoring {

	static final Path DIRECTORY = Stacks.ROOT.resolve("docker/monitoring");

	private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), *(\\w+)\\)");

	private Monitoring() {
	}

	static JsonNode yaml(String file) {
		return YAMLMapper.shared().readTree(text(file));
	}

	static JsonNode dashboard() {
		return JsonMapper.shared().readTree(text("grafana/dashboards/warmup.json"));
	}

	static String text(String file) {
		try {
			return Files.readString(DIRECTORY.resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Everything that Prometheus is asked for.
	 * @return the expressions of the dashboard's panels, annotations and variables, with
	 * its variables replaced, and those of the alerts
	 */
	static List<Expression> expressions() {
		List<Expression> expressions = new ArrayList<>();
		JsonNode dashboard = dashboard();
		for (JsonNode panel : dashboard.path("panels")) {
			for (JsonNode target : panel.path("targets")) {
				expressions.add(new Expression("panel " + panel.path("title").asString(), plain(target.path("expr"))));
			}
		}
		for (JsonNode annotation : dashboard.at("/annotations/list")) {
			expressions.add(
					new Expression("annotation " + annotation.path("name").asString(), plain(annotation.path("expr"))));
		}
		for (JsonNode variable : dashboard.at("/templating/list")) {
			expressions.add(values("variable " + variable.path("name").asString(), variable.at("/query/query")));
		}
		for (JsonNode group : yaml("alerts.yml").path("groups")) {
			for (JsonNode rule : group.path("rules")) {
				expressions.add(new Expression("alert " + rule.path("alert").asString(), rule.path("expr").asString()));
			}
		}
		return expressions;
	}

	/** A variable's values are those of a label, by which to group is as good. */
	private static Expression values(String where, JsonNode query) {
		Matcher values = LABEL_VALUES.matcher(query.asString());
		if (!values.matches()) {
			throw new IllegalStateException(where + " asks for " + query);
		}
		return new Expression(where, "sum by (%s) (%s)".formatted(values.group(2), values.group(1)));
	}

	private static String plain(JsonNode expression) {
		return expression.asString()
			.replace("$__rate_interval", "1m")
			.replace("$__range", "30m")
			.replace("$service", ".*");
	}

	/**
	 * What is asked for, and where.
	 *
	 * @param where such as {@code panel Coverage}
	 * @param promQl the expression
	 */
	record Expression(String where, String promQl) {

		@Override
		public String toString() {
			return this.where;
		}

	}

}
