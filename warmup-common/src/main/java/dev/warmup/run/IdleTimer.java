package dev.warmup.run;

import java.util.concurrent.TimeUnit;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Looks each second whether the instance has been idle for long enough, on a thread of
 * its own and by a processor of its own: {@code @Scheduled} methods and configurers which
 * an application leaves dormant stay so, and those that it schedules share nothing with
 * it.
 */
final class IdleTimer implements SmartInitializingSingleton, DisposableBean {

	private final Runs runs;

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private final ScheduledAnnotationBeanPostProcessor processor = new ScheduledAnnotationBeanPostProcessor();

	IdleTimer(Runs runs) {
		this.runs = runs;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.scheduler.setThreadNamePrefix("warmup-timer-");
		this.scheduler.setDaemon(true);
		this.scheduler.initialize();
		this.processor.setScheduler(this.scheduler);
		this.processor.postProcessAfterInitialization(new Check(this.runs), "idleTimer");
		this.processor.afterSingletonsInstantiated();
	}

	@Override
	public void destroy() {
		this.processor.destroy();
		this.scheduler.destroy();
	}

	/** No bean, so that no other processor finds it. */
	record Check(Runs runs) {

		@Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
		void check() {
			this.runs.startIfIdle();
		}

	}

}
