package dev.warmup.catalog;

import java.util.regex.Pattern;

import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The core schema of YAML 1.2, which editors use: {@code yes} is a string, and
 * {@code 12:30} no number.
 */
final class CoreSchema extends Resolver {

	@Override
	protected void addImplicitResolvers() {
		addImplicitResolver(Tag.BOOL, Pattern.compile("true|True|TRUE|false|False|FALSE"), "tTfF");
		addImplicitResolver(Tag.INT, Pattern.compile("[-+]?[0-9]{1,100}"), "-+0123456789");
		addImplicitResolver(Tag.FLOAT,
				Pattern.compile("[-+]?(\\.[0-9]{1,100}|[0-9]{1,100}(\\.[0-9]{0,100})?)([eE][-+]?[0-9]{1,3})?"),
				"-+.0123456789");
		addImplicitResolver(Tag.NULL, Pattern.compile("~|null|Null|NULL"), "~nN");
		addImplicitResolver(Tag.NULL, Pattern.compile(""), null);
	}

}
