package dev.warmup.example.chat;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packagesOf = ArchitectureTests.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule featuresDependOneWay = slices().matching("dev.warmup.example.chat.(*)..")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule chatDoesNotKnowWhetherItPushes = noClasses().that()
		.resideOutsideOfPackage("..push..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("..push..");

}
