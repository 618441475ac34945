package dev.warmup;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;

/**
 * Watches for blocking calls from the first test on. Not sooner, as BlockHound's own
 * listener does: with several forks, Surefire looks for the tests in Maven's JVM, which
 * is none that BlockHound can watch.
 */
public final class BlockHoundListener implements TestExecutionListener {

	@Override
	public void testPlanExecutionStarted(TestPlan testPlan) {
		BlockHound.install();
	}

}
