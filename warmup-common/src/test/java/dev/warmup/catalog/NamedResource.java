package dev.warmup.catalog;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/** A catalog in memory that calls itself {@code file:catalog.yml}. */
class NamedResource extends ByteArrayResource {

	NamedResource(String text) {
		super(text.getBytes(StandardCharsets.UTF_8));
	}

	static Catalog read(Resource catalog, Function<String, @Nullable String> environment) {
		return new CatalogReader(new CatalogFiles(catalog), environment).read();
	}

	@Override
	public URL getURL() throws MalformedURLException {
		return URI.create("file:catalog.yml").toURL();
	}

}
