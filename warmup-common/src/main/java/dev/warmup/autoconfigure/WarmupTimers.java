package dev.warmup.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/**
 * Runs the {@code @Scheduled} methods of the library's own beans where the application
 * has not enabled scheduling. It processes these beans and no others, so that
 * {@code @Scheduled} methods and {@code SchedulingConfigurer}s which the application
 * leaves dormant stay so. Where the application schedules by itself, its processor finds
 * the library's beans as any others, and this does nothing. The processor of a parent
 * context does not see them.
 */
final class WarmupTimers implements SmartInitializingSingleton, DisposableBean {

	private final ConfigurableListableBeanFactory beans;

	private final List<String> timed;

	private final ScheduledAnnotationBeanPostProcessor processor = new ScheduledAnnotationBeanPostProcessor();

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	WarmupTimers(ConfigurableListableBeanFactory beans, List<String> timed) {
		this.beans = beans;
		this.timed = timed.stream().filter(beans::containsBean).toList();
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.beans.containsLocalBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME)) {
			return;
		}
		this.scheduler.setThreadNamePrefix("warmup-timer-");
		this.scheduler.setDaemon(true);
		this.scheduler.initialize();
		this.processor.setScheduler(this.scheduler);
		this.processor.setEmbeddedValueResolver(new EmbeddedValueResolver(this.beans));
		// without the application's configurers
		this.processor.setBeanFactory(new StaticListableBeanFactory());
		this.timed.forEach((name) -> this.processor.postProcessAfterInitialization(this.beans.getBean(name), name));
		this.processor.afterSingletonsInstantiated();
	}

	@Override
	public void destroy() {
		this.processor.destroy();
		this.scheduler.destroy();
	}

}
