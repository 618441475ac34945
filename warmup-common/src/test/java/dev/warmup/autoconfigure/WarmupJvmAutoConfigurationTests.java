package dev.warmup.autoconfigure;

import java.nio.file.Path;

import dev.warmup.CapturedLog;
import dev.warmup.insight.ClassReport;
import dev.warmup.insight.CompilerObserver;
import dev.warmup.insight.CompilerQueue;
import dev.warmup.protocol.Instance;
import dev.warmup.run.RunListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmupJvmAutoConfigurationTests {

	private static final String ON = "warmup.report.classes=true";

	@Test
	void serviceTellsWhatIsLeftToCompile() {
		Warmup.reactiveService().run((context) -> {
			assertThat(context).hasSingleBean(CompilerObserver.class);
			assertThat(context.getBeansOfType(RunListener.class)).containsKey("warmupCompilerWatch");
		});
	}

	@Test
	void gatewayTellsNothing() {
		Warmup.gateway()
			.withPropertyValues(ON)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(CompilerObserver.class)
				.doesNotHaveBean(ClassReport.class));
	}

	@Test
	void nothingIsToldWhenDisabled() {
		Warmup.servletService()
			.withPropertyValues("warmup.enabled=false", ON)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(CompilerObserver.class)
				.doesNotHaveBean(ClassReport.class));
	}

	@Test
	void classesAreListedOnDemandOnly() {
		Warmup.servletService().run((context) -> assertThat(context).doesNotHaveBean(ClassReport.class));
		Warmup.servletService()
			.withPropertyValues(ON, "warmup.report.directory=/var/reports")
			.run((context) -> assertThat(context.getBean(ClassReport.class).directory())
				.isEqualTo(Path.of("/var/reports")));
	}

	@Test
	void withoutAFlightRecorderOneLineSaysSo() {
		try (CapturedLog log = CapturedLog.of(ClassReport.class)) {
			Warmup.servletService("jdk.jfr")
				.withPropertyValues(ON)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ClassReport.class));
			assertThat(log.lines()).containsExactly(
					"WARN warmup.report.classes has no effect: this JVM has no Flight Recorder (module jdk.jfr)");
			Warmup.servletService("jdk.jfr").run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void compilerWatchGivesWay() {
		CompilerObserver own = new CompilerObserver(CompilerQueue::now);
		Warmup.reactiveService()
			.withBean(CompilerObserver.class, () -> own)
			.run((context) -> assertThat(context).getBean(CompilerObserver.class).isSameAs(own));
	}

	@Test
	void classReportGivesWay() {
		ClassReport own = new ClassReport(() -> new Instance("mine", "mine:1"), Path.of("mine"));
		Warmup.reactiveService()
			.withPropertyValues(ON)
			.withBean(ClassReport.class, () -> own)
			.run((context) -> assertThat(context).getBean(ClassReport.class).isSameAs(own));
	}

}
