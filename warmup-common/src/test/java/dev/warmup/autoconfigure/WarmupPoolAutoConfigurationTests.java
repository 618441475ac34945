package dev.warmup.autoconfigure;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.zaxxer.hikari.HikariDataSource;
import dev.warmup.insight.HikariPools;
import dev.warmup.insight.PoolGauge;
import dev.warmup.insight.PoolObserver;
import dev.warmup.insight.R2dbcPools;
import dev.warmup.protocol.UserActivity;
import dev.warmup.run.RunListener;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupPoolAutoConfigurationTests {

	@Test
	void serviceWatchesItsPools() {
		Warmup.servletService().withBean("orders", HikariDataSource.class, () -> {
			HikariDataSource pool = new HikariDataSource();
			pool.setPoolName("main");
			return pool;
		}).withBean("audit", ConnectionPool.class, WarmupPoolAutoConfigurationTests::reactivePool).run((context) -> {
			assertThat(context.getBeansOfType(RunListener.class)).containsKey("warmupPoolWatch");
			assertThat(context.getBean(HikariPools.class).pools()).extracting(PoolGauge::name).containsExactly("main");
			assertThat(context.getBean(R2dbcPools.class).pools()).extracting(PoolGauge::name).containsExactly("audit");
		});
	}

	@Test
	void gatewayWatchesNone() {
		Warmup.gateway()
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(PoolObserver.class)
				.doesNotHaveBean(HikariPools.class));
	}

	@Test
	void noneIsWatchedWhenDisabled() {
		Warmup.servletService()
			.withPropertyValues("warmup.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(PoolObserver.class));
	}

	@Test
	void withoutHikariOnlyReactivePoolsAreFound() {
		Warmup.servletService("com.zaxxer.hikari")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(HikariPools.class)
				.hasSingleBean(R2dbcPools.class)
				.hasSingleBean(PoolObserver.class));
	}

	@Test
	void withoutR2dbcOnlyBlockingPoolsAreFound() {
		Warmup.reactiveService("io.r2dbc.pool")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(R2dbcPools.class)
				.hasSingleBean(HikariPools.class)
				.hasSingleBean(PoolObserver.class));
	}

	@Test
	void withoutAnyPoolLibraryTheServiceStarts() {
		Warmup.reactiveService("io.r2dbc", "com.zaxxer")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(R2dbcPools.class)
				.doesNotHaveBean(HikariPools.class));
	}

	@Test
	void threadsOfTheServletServerAreTheBound() {
		Warmup.servletService()
			.run((context) -> assertThat(context.getBean(PoolObserver.class).threads()).hasValue(200));
		Warmup.servletService()
			.withPropertyValues("server.tomcat.threads.max=20", "server.jetty.threads.max=30")
			.run((context) -> assertThat(context.getBean(PoolObserver.class).threads()).hasValue(20));
		Warmup.servletService(Tomcat.class)
			.withPropertyValues("server.tomcat.threads.max=20", "server.jetty.threads.max=30")
			.run((context) -> assertThat(context.getBean(PoolObserver.class).threads()).hasValue(30));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreadsSetNoBound() {
		Warmup.servletService()
			.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> assertThat(context.getBean(PoolObserver.class).threads()).isEmpty());
	}

	@Test
	void threadsOfAReactiveServerSetNoBound() {
		Warmup.reactiveService().run((context) -> assertThat(context.getBean(PoolObserver.class).threads()).isEmpty());
	}

	@Test
	void poolWatchGivesWay() {
		PoolObserver own = new PoolObserver(List::of, new UserActivity(Clock.systemUTC()), Optional.empty());
		Warmup.servletService()
			.withBean(PoolObserver.class, () -> own)
			.run((context) -> assertThat(context).getBean(PoolObserver.class).isSameAs(own));
		Warmup.reactiveService()
			.withBean(PoolObserver.class, () -> own)
			.run((context) -> assertThat(context).getBean(PoolObserver.class).isSameAs(own));
	}

	@Test
	void hikariPoolsGiveWay() {
		HikariPools own = new HikariPools(List::of);
		Warmup.servletService()
			.withBean(HikariPools.class, () -> own)
			.run((context) -> assertThat(context).getBean(HikariPools.class).isSameAs(own));
	}

	@Test
	void r2dbcPoolsGiveWay() {
		R2dbcPools own = new R2dbcPools(Map::of);
		Warmup.reactiveService()
			.withBean(R2dbcPools.class, () -> own)
			.run((context) -> assertThat(context).getBean(R2dbcPools.class).isSameAs(own));
	}

	private static ConnectionPool reactivePool() {
		return new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get("r2dbc:h2:mem:///audit"))
			.initialSize(0)
			.build());
	}

}
