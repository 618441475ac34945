package dev.warmup;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.warmup.ask.GatewayWarmup;
import dev.warmup.asked.AskedServletFilter;
import dev.warmup.autoconfigure.WarmupProperties;
import dev.warmup.neighbour.Rehearsal;
import dev.warmup.run.Leaving;
import dev.warmup.run.StartupRun;
import dev.warmup.run.WarmupRunner;
import dev.warmup.status.WarmupEndpoint;
import dev.warmup.task.WarmupTasks;
import dev.warmup.verify.RegistryClaimVerifier;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** The rules of the house that a compiler does not check. */
class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("dev.warmup");

	/**
	 * What each package may see; in order, each sees only those above it. Where one takes
	 * no more than a constant of another, the class files do not show it.
	 */
	private static final Map<String, Set<String>> SEES = Map
		.ofEntries( // @formatter:off
			Map.entry("catalog", Set.of()),
			Map.entry("traffic", Set.of()),
			Map.entry("steady", Set.of()),
			Map.entry("registry", Set.of("traffic")),
			Map.entry("locate", Set.of("registry")),
			Map.entry("balance", Set.of("registry")),
			Map.entry("neighbour", Set.of("traffic")),
			Map.entry("coverage", Set.of()),
			Map.entry("verify", Set.of("registry", "traffic")),
			Map.entry("propagate", Set.of("traffic")),
			Map.entry("plan", Set.of("catalog")),
			Map.entry("replay", Set.of("catalog", "steady", "traffic")),
			Map.entry("record", Set.of("catalog", "plan", "replay", "steady")),
			Map.entry("report", Set.of("locate", "record", "traffic")),
			Map.entry("task", Set.of("locate", "record", "replay")),
			Map.entry("run", Set.of("catalog", "locate", "plan", "record", "replay", "report", "steady", "task", "traffic")),
			Map.entry("pool", Set.of("catalog", "record", "replay", "run", "traffic")),
			Map.entry("jvm", Set.of("catalog", "record", "replay", "run")),
			Map.entry("idle", Set.of("catalog", "run", "traffic")),
			Map.entry("eureka", Set.of("registry", "run")),
			Map.entry("meter", Set.of("catalog", "record", "replay", "run", "task", "traffic")),
			Map.entry("status", Set.of("catalog", "idle", "record", "run", "traffic")),
			Map.entry("gateway", Set.of("balance", "coverage", "meter", "record", "report", "run", "status", "steady", "traffic", "verify")),
			Map.entry("ask", Set.of("catalog", "gateway", "idle", "record", "registry", "run", "status", "traffic")),
			Map.entry("asked", Set.of("catalog", "locate", "record", "registry", "run", "traffic", "verify")),
			Map.entry("autoconfigure", Set.of("ask", "asked", "balance", "catalog", "coverage", "eureka", "gateway", "idle", "jvm", "locate", "meter", "neighbour", "pool", "propagate", "record", "registry", "replay",
					"report", "run", "status", "steady", "task", "traffic", "verify"))); // @formatter:on

	@Test
	void packagesHaveNoCycles() {
		SlicesRuleDefinition.slices().matching("dev.warmup.(*)..").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void eachStageSeesOnlyEarlierOnes() {
		Map<String, Set<String>> seen = new TreeMap<>();
		for (JavaClass origin : CLASSES) {
			Set<String> targets = seen.computeIfAbsent(stage(origin), (stage) -> new TreeSet<>());
			origin.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getBaseComponentType())
				.filter((target) -> target.getPackageName().startsWith("dev.warmup."))
				.map(ArchitectureTests::stage)
				.filter((target) -> !target.equals(stage(origin)))
				.forEach(targets::add);
		}
		assertThat(seen).containsOnlyKeys(SEES.keySet())
			.allSatisfy((stage, targets) -> assertThat(SEES.get(stage)).as(stage).containsAll(targets));
	}

	@Test
	void onlyAutoconfigureSeesProperties() {
		noClasses().that()
			.resideOutsideOfPackage("dev.warmup.autoconfigure..")
			.should()
			.dependOnClassesThat()
			.belongToAnyOf(WarmupProperties.class)
			.check(CLASSES);
		noClasses().that()
			.resideOutsideOfPackage("dev.warmup.autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot.autoconfigure..",
					"org.springframework.boot.context.properties..")
			.check(CLASSES);
	}

	@Test
	void everyPackageSaysWhatItIsForAndIsNullMarked() {
		assertThat(CLASSES.getPackage("dev.warmup").getSubpackages()).isNotEmpty()
			.allSatisfy((each) -> assertThat(each.tryGetPackageInfo()).as("package-info of %s", each.getName())
				.hasValueSatisfying((info) -> assertThat(info.isAnnotatedWith(NullMarked.class)).isTrue()));
	}

	@Test
	void packagesAreFlat() {
		assertThat(CLASSES.getPackage("dev.warmup").getSubpackages()).flatMap(JavaPackage::getSubpackages).isEmpty();
	}

	@Test
	void nobodyBlocksOnAPublisher() {
		Set<String> blocking = Set.of("block", "blockOptional", "blockFirst", "blockLast", "toIterable", "toStream",
				"toFuture");
		noClasses().should()
			.callCodeUnitWhere(call("block",
					(target) -> blocking.contains(target.getName())
							&& target.getOwner().isAssignableTo(Publisher.class)))
			.check(CLASSES);
	}

	/**
	 * A claimant is checked again beside the request that shows that it is due; what a
	 * task throws while it is subscribed to must not pass the run by.
	 */
	@Test
	void onlyTheEdgesSubscribe() {
		noClasses().that()
			.doNotBelongToAnyOf(AskedServletFilter.class, GatewayWarmup.class, Leaving.class, Rehearsal.class,
					RegistryClaimVerifier.class, StartupRun.class, WarmupEndpoint.class, WarmupRunner.class,
					WarmupTasks.class)
			.should()
			.callCodeUnitWhere(call("subscribe",
					(target) -> target.getName().equals("subscribe")
							&& target.getOwner().isAssignableTo(Publisher.class)))
			.check(CLASSES);
	}

	@Test
	void nobodyWritesToStandardStreams() {
		GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
	}

	@Test
	void nobodyInjectsFields() {
		GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION.check(CLASSES);
	}

	private static String stage(JavaClass type) {
		return type.getPackageName().substring("dev.warmup.".length());
	}

	private static DescribedPredicate<JavaCall<?>> call(String description, Predicate<CodeUnitCallTarget> target) {
		return DescribedPredicate.describe(description, (call) -> target.test(call.getTarget()));
	}

}
