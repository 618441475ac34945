package dev.warmup;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
	 * The packages in layers: each sees those of its own layer and of the layers before
	 * it, without a cycle. The root package is the first layer.
	 */
	private static final List<Set<String>> LAYERS = List.of(Set.of(""), Set.of("catalog", "protocol", "task"),
			Set.of("run", "discovery"), Set.of("web", "gateway", "loadbalancer"), Set.of("actuate"),
			Set.of("autoconfigure"));

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
			.resideInAnyPackage("dev.warmup.gateway", "dev.warmup.loadbalancer")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("dev.warmup.run", "dev.warmup.catalog")
			.check(CLASSES);
	}

	@Test
	void aGatewaysAnnouncementsAndSharesAgeByAMonotonicClock() {
		noClasses().that()
			.resideInAPackage("dev.warmup.loadbalancer")
			.should()
			.callMethod(Clock.class, "systemUTC")
			.orShould()
			.callMethod(Instant.class, "now")
			.check(CLASSES);
	}

	@Test
	void onlyConfigurationsKnowSpringBootsConditions() {
		noClasses().that()
			.haveNameNotMatching(".*(Configuration|ConditionalOn\\w+)(\\$.*)?")
			.and()
			.resideOutsideOfPackage("dev.warmup.autoconfigure..")
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
	 * A claimant is checked again in parallel with the request that shows that it is due;
	 * what a task throws while it is subscribed to must not pass the run by.
	 */
	@Test
	void onlyTheEdgesSubscribe() {
		Set<String> edges = Set.of("GatewayReporter", "GatewayWarmup", "ProtocolServletFilter", "RegistryClaimVerifier",
				"StartupRun", "WarmupRunner", "WarmupServletFilter", "WarmupTasks");
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

	private static String stage(JavaClass type) {
		return type.getPackageName().replaceFirst("dev\\.warmup\\.?", "");
	}

	private static DescribedPredicate<JavaCall<?>> call(String description, Predicate<CodeUnitCallTarget> target) {
		return DescribedPredicate.describe(description, (call) -> target.test(call.getTarget()));
	}

}
