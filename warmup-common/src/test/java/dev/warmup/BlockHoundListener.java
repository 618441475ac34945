package dev.warmup;

import java.net.ProxySelector;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Detects blocking calls from the first test on. Not sooner, as BlockHound's own listener
 * does: with several forks, Surefire looks for the tests in Maven's JVM, which is none
 * that BlockHound can instrument.
 */
public final class BlockHoundListener implements TestExecutionListener, BlockHoundIntegration {

	@Override
	public void testPlanExecutionStarted(TestPlan testPlan) {
		ProxySelector.getDefault(); // reads a file of the JDK, once
		BlockHound.install();
	}

	/**
	 * Allows Spring's lazy suppliers their lock: the first requests through a load
	 * balancer may meet at it, and each then waits for an object to be made. Allows to
	 * cancel a periodic timer, too, which waits for a scheduler's lock for a moment;
	 * Reactor's own integration allows that for all other timers only. The queue of
	 * virtual time, in which more than one thread schedules, has a lock, too.
	 */
	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside("org.springframework.util.function.SingletonSupplier", "get");
		builder.allowBlockingCallsInside("reactor.core.scheduler.PeriodicWorkerTask", "dispose");
		builder.allowBlockingCallsInside("reactor.core.scheduler.PeriodicSchedulerTask", "dispose");
		String virtualTime = "reactor.test.scheduler.VirtualTimeScheduler";
		builder.allowBlockingCallsInside(virtualTime, "drain");
		builder.allowBlockingCallsInside(virtualTime + "$VirtualTimeWorker", "doScheduleAtTime");
		builder.allowBlockingCallsInside(virtualTime + "$TimedRunnable", "dispose");
	}

}
