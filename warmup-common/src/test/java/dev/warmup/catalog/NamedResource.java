package dev.warmup.catalog;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;

import org.springframework.core.io.ByteArrayResource;

/** A catalog in memory that calls itself {@code file:catalog.yml}. */
final class NamedResource extends ByteArrayResource {

	NamedResource(byte[] bytes) {
		super(bytes);
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
