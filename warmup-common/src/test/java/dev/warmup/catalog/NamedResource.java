package dev.warmup.catalog;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ByteArrayResource;

/** A catalog in memory that calls itself {@code file:catalog.yml}. */
class NamedResource extends ByteArrayResource {

	NamedResource(String text) {
		super(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public URL getURL() throws MalformedURLException {
		return URI.create("file:catalog.yml").toURL();
	}

	@Override
	public boolean isFile() {
		return false;
	}

}
