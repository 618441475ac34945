package dev.warmup.autoconfigure;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.time.Duration;

import dev.warmup.GateOpened;
import dev.warmup.catalog.CatalogSource;
import dev.warmup.protocol.ConditionalOnService;
import dev.warmup.protocol.Gate;
import dev.warmup.run.AotCache;
import dev.warmup.run.RunConfiguration;
import dev.warmup.run.RunSettings;
import dev.warmup.task.TaskConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.UrlResource;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of runs in a service: the catalog,
 * the client they send with, the tasks before them, the gate, and what starts them.
 */
@AutoConfiguration(after = WarmupDiscoveryAutoConfiguration.class)
@ConditionalOnService
@Import({ RunConfiguration.class, TaskConfiguration.class })
public final class WarmupRunAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CatalogSource warmupCatalogSource(WarmupProperties properties, ResourceLoader resources) {
		Resource catalog = bounded(resources.getResource(properties.catalog()));
		return properties.catalog().equals(WarmupProperties.DEFAULT_CATALOG) ? CatalogSource.optional(catalog)
				: CatalogSource.required(catalog);
	}

	/** A server that hangs must not hold a thread at each attempt of a run. */
	private static Resource bounded(Resource catalog) {
		return (catalog.getClass() == UrlResource.class) ? new BoundedUrlResource(((UrlResource) catalog).getURL())
				: catalog;
	}

	/** A resource whose server has to answer in time, as do resources relative to it. */
	static final class BoundedUrlResource extends UrlResource {

		static final Duration LIMIT = Duration.ofSeconds(5);

		BoundedUrlResource(URL url) {
			super(url);
		}

		@Override
		protected void customizeConnection(URLConnection connection) throws IOException {
			connection.setConnectTimeout(Math.toIntExact(LIMIT.toMillis()));
			connection.setReadTimeout(Math.toIntExact(LIMIT.toMillis()));
			super.customizeConnection(connection);
		}

		@Override
		public Resource createRelative(String relativePath) throws MalformedURLException {
			return new BoundedUrlResource(createRelativeURL(relativePath));
		}

	}

	@Bean
	@ConditionalOnMissingBean
	RunSettings.SteadyCriteria warmupSteadyCriteria(WarmupProperties properties) {
		return RunSettings.SteadyCriteria.of(properties.steady().tolerance(), properties.steady().window());
	}

	@Bean
	RunSettings warmupRunSettings(WarmupProperties properties, RunSettings.SteadyCriteria steady) {
		WarmupProperties.Startup startup = properties.startup();
		return new RunSettings(startup.budget(), startup.minRepetitions(), startup.maxRepetitions(),
				startup.concurrency(), Runtime.getRuntime().availableProcessors(), properties.cpu().maxShare(), steady,
				startup.trigger(), startup.deadline(), properties.gate().openAfter(), AotCache.isInUse(),
				properties.ramp().window());
	}

	@Bean
	Gate warmupGate(WarmupProperties properties, ApplicationEventPublisher events) {
		return new Gate(properties.gate().enabled(), properties.gate().onFailure(),
				() -> events.publishEvent(new GateOpened()));
	}

}
