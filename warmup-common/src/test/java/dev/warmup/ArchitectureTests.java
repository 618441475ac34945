package dev.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** The rules of the house that a compiler does not check. */
class ArchitectureTests {

	private static final int MOST_LINES = 12_715;

	private static final int MOST_PUBLIC_TYPES = 58;

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("dev.warmup");

	/**
	 * The packages in layers: each sees those of its own layer and of the layers before
	 * it, without a cycle. The root package is the first layer.
	 */
	private static final List<Set<String>> LAYERS = List.of(Set.of(""), Set.of("protocol"), Set.of("catalog"),
			Set.of("service"), Set.of("registry"), Set.of("run", "gateway"), Set.of("proposal"),
			Set.of("actuate", "test"));

	@Test
	void packagesHaveNoCycles() {
		SlicesRuleDefinition.slices().matching("dev.(**)").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void eachLayerSeesOnlyEarlierOnes() {
		Map<String, Integer> layers = new HashMap<>();
		LAYERS.forEach((layer) -> layer.forEach((each) -> layers.put(each, LAYERS.indexOf(layer))));
		assertThat(CLASSES).extracting(ArchitectureTests::stage)
			.allSatisfy((stage) -> assertThat(layers).containsKey(stage));
		for (JavaClass origin : CLASSES) {
			assertThat(origin.getDirectDependenciesFromSelf()).as(origin.getName())
				.extracting((dependency) -> dependency.getTargetClass().getBaseComponentType())
				.filteredOn((target) -> target.getPackageName().startsWith("dev.warmup"))
				.allSatisfy((target) -> assertThat(layers.get(stage(target))).as(target.getName())
					.isLessThanOrEqualTo(layers.get(stage(origin))));
		}
	}

	@Test
	void aGatewayNeedsNeitherRunsNorCatalogs() {
		noClasses().that()
			.resideInAPackage("dev.warmup.gateway")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("dev.warmup.run", "dev.warmup.catalog")
			.check(CLASSES);
	}

	@Test
	void runsNeedNoGateway() {
		noClasses().that()
			.resideInAPackage("dev.warmup.run")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("dev.warmup.gateway")
			.check(CLASSES);
	}

	@Test
	void agesAreMeasuredByAMonotonicClock() {
		noClasses().that()
			.haveSimpleNameNotEndingWith("MonotonicClock")
			.and()
			.resideOutsideOfPackage("dev.warmup.catalog") // {{now}} is the time of day
			.should()
			.callMethod(Clock.class, "systemUTC")
			.orShould()
			.callMethod(Instant.class, "now")
			.check(CLASSES);
	}

	@Test
	void onlyConfigurationsKnowSpringBootsConditions() {
		noClasses().that()
			.haveNameNotMatching(".*(Configuration|ConditionalOn\\w+|WarmupProperties)(\\$.*)?")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot.autoconfigure..",
					"org.springframework.boot.context.properties..")
			.check(CLASSES);
	}

	@Test
	void everyPackageIsDescribedAndNullMarked() {
		assertThat(CLASSES.getPackage("dev.warmup").getSubpackages()).isNotEmpty()
			.allSatisfy((each) -> assertThat(each.tryGetPackageInfo()).as("package-info of %s", each.getName())
				.hasValueSatisfying((info) -> assertThat(info.isAnnotatedWith(NullMarked.class)).isTrue()))
			.flatMap(JavaPackage::getSubpackages)
			.as("packages are flat")
			.isEmpty();
	}

	@Test
	void nobodyBlocksOnAPublisherButServletThreadsAndTests() {
		Set<String> blocking = Set.of("block", "blockOptional", "blockFirst", "blockLast", "toIterable", "toStream",
				"toFuture");
		noClasses().that()
			.haveSimpleNameNotEndingWith("WarmupServletFilter")
			.and()
			.resideOutsideOfPackage("dev.warmup.test")
			.should()
			.callCodeUnitWhere(call("block",
					(target) -> blocking.contains(target.getName())
							&& target.getOwner().isAssignableTo(Publisher.class)))
			.check(CLASSES);
	}

	/**
	 * A claimant is checked again in parallel with the request that shows that it is due;
	 * what a task throws while it is subscribed to must not pass the run by.
	 */
	@Test
	void onlyTheEdgesSubscribe() {
		Set<String> edges = Set.of("GatewayWarmup", "Looks", "News", "Runs", "StartupRun", "StrippedPrefixes",
				"WarmupTasks");
		noClasses().that(DescribedPredicate.describe("are no edges", (type) -> !edges.contains(type.getSimpleName())))
			.should()
			.callCodeUnitWhere(call("subscribe",
					(target) -> target.getName().equals("subscribe")
							&& target.getOwner().isAssignableTo(Publisher.class)))
			.check(CLASSES);
	}

	@Test
	void nobodyWritesToStandardStreamsOrInjectsFields() {
		GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION.check(CLASSES);
		GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
	}

	/** Complexity is the scarcest budget: what is added has to be worth what goes. */
	@Test
	void theLibraryStaysSmallEnoughToBeKnownWhole() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			long lines = 0;
			for (Path file : files.filter((path) -> path.toString().endsWith(".java")).toList()) {
				lines += Files.readAllLines(file).size();
			}
			assertThat(lines).as("lines of the library").isLessThanOrEqualTo(MOST_LINES);
		}
		assertThat(CLASSES)
			.filteredOn((type) -> type.getModifiers().contains(JavaModifier.PUBLIC)
					&& !type.getEnclosingClass().isPresent() && !type.getSimpleName().equals("package-info"))
			.as("public types")
			.hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES);
	}

	private static String stage(JavaClass type) {
		return type.getPackageName().replaceFirst("dev\\.warmup\\.?", "");
	}

	private static DescribedPredicate<JavaCall<?>> call(String description, Predicate<CodeUnitCallTarget> target) {
		return DescribedPredicate.describe(description, (call) -> target.test(call.getTarget()));
	}

}
