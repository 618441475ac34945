package dev.warmup.e2e.adopter;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.WarmupContext;
import io.r2dbc.spi.ConnectionFactory;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.reactive.TransactionalEventPublisher;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Services that take orders, which nobody can remove, and roll those of warm-up back by
 * the recipe of the guide. Each writes a row to {@code orders}, and one to {@code audit}
 * in a transaction of its own.
 */
final class WritingServices {

	private static final String INSERT_AUDIT = "insert into audit (order_id) values (:id)";

	private WritingServices() {
	}

	/**
	 * As in the guide: every blocking transaction manager that Spring Boot configures.
	 */
	@Component
	static class WarmupRollback implements TransactionExecutionListener {

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure == null && transaction.isNewTransaction() && WarmupContext.current().isPresent()) {
				transaction.setRollbackOnly();
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void beforeCompletion() {
						((TransactionStatus) transaction).flush(); // JPA sends the rest
																	// now
					}
				});
			}
		}

	}

	@RestController
	static class Controller {

		private final Orders orders;

		Controller(Orders orders) {
			this.orders = orders;
		}

		@PostMapping("/orders")
		@ResponseStatus(HttpStatus.CREATED)
		Map<String, Long> place() {
			return Map.of("id", this.orders.place());
		}

	}

	/** What both servlet services do, in classes that are public to be proxied. */
	interface Orders {

		long place();

	}

	interface Audit {

		void add(long orderId);

	}

	/** What is sent once an order is committed. */
	static class Mails {

		private final AtomicInteger sent = new AtomicInteger();

		@TransactionalEventListener
		void send(Placed order) {
			this.sent.incrementAndGet();
		}

		int sent() {
			return this.sent.get();
		}

	}

	record Placed(long id) {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ WarmupRollback.class, Controller.class, JdbcOrders.class, JdbcAudit.class, Mails.class })
	static class Jdbc {

	}

	public static class JdbcOrders implements Orders {

		private final JdbcClient database;

		private final Audit audit;

		private final ApplicationEventPublisher events;

		public JdbcOrders(JdbcClient database, Audit audit, ApplicationEventPublisher events) {
			this.database = database;
			this.audit = audit;
			this.events = events;
		}

		@Override
		@Transactional
		public long place() {
			GeneratedKeyHolder keys = new GeneratedKeyHolder();
			this.database.sql("insert into orders (customer) values ('Ann')").update(keys, "id");
			long id = Objects.requireNonNull(keys.getKey()).longValue();
			this.audit.add(id);
			this.events.publishEvent(new Placed(id));
			return id;
		}

	}

	public static class JdbcAudit implements Audit {

		private final JdbcClient database;

		public JdbcAudit(JdbcClient database) {
			this.database = database;
		}

		@Override
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void add(long orderId) {
			this.database.sql(INSERT_AUDIT).param("id", orderId).update();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EntityScan(basePackageClasses = WritingServices.class)
	@Import({ WarmupRollback.class, Controller.class, JpaOrders.class, JdbcAudit.class, Mails.class })
	static class Jpa {

	}

	public static class JpaOrders implements Orders {

		@PersistenceContext
		private @Nullable EntityManager entities;

		private final Audit audit;

		private final ApplicationEventPublisher events;

		public JpaOrders(Audit audit, ApplicationEventPublisher events) {
			this.audit = audit;
			this.events = events;
		}

		@Override
		@Transactional
		public long place() {
			OrderRow order = new OrderRow();
			Objects.requireNonNull(this.entities).persist(order);
			this.audit.add(order.id);
			this.events.publishEvent(new Placed(order.id));
			return order.id;
		}

	}

	/** Its id is known before it is inserted, which is when the transaction ends. */
	@Entity
	@Table(name = "orders")
	public static class OrderRow {

		@Id
		@GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "order_ids")
		@SequenceGenerator(name = "order_ids", allocationSize = 1)
		public long id;

		public String customer = "Ann";

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ ReactiveController.class, ReactiveOrders.class, ReactiveAudit.class, Mails.class })
	static class Reactive {

		@Bean
		ReactiveTransactionManager transactions(ConnectionFactory connections) {
			return new ReactiveWarmupRollback(new R2dbcTransactionManager(connections));
		}

	}

	/** As in the guide. */
	record ReactiveWarmupRollback(ReactiveTransactionManager manager) implements ReactiveTransactionManager {

		@Override
		public Mono<ReactiveTransaction> getReactiveTransaction(@Nullable TransactionDefinition definition) {
			return this.manager.getReactiveTransaction(definition);
		}

		@Override
		public Mono<Void> commit(ReactiveTransaction transaction) {
			return Mono.deferContextual((context) -> (WarmupContext.isWarmup(context) && transaction.isNewTransaction())
					? rollback(transaction) : this.manager.commit(transaction));
		}

		@Override
		public Mono<Void> rollback(ReactiveTransaction transaction) {
			return this.manager.rollback(transaction);
		}

	}

	@RestController
	static class ReactiveController {

		private final ReactiveOrders orders;

		ReactiveController(ReactiveOrders orders) {
			this.orders = orders;
		}

		@PostMapping("/orders")
		@ResponseStatus(HttpStatus.CREATED)
		Mono<Map<String, Long>> place() {
			return this.orders.place().map((id) -> Map.of("id", id));
		}

	}

	public static class ReactiveOrders {

		private final DatabaseClient database;

		private final ReactiveAudit audit;

		private final TransactionalEventPublisher events;

		public ReactiveOrders(DatabaseClient database, ReactiveAudit audit, ApplicationEventPublisher events) {
			this.database = database;
			this.audit = audit;
			this.events = new TransactionalEventPublisher(events);
		}

		@Transactional
		public Mono<Long> place() {
			return this.database.sql("insert into orders (customer) values ('Ann')")
				.filter((statement) -> statement.returnGeneratedValues("id"))
				.map((row) -> Objects.requireNonNull(row.get("id", Long.class)))
				.one()
				.delayUntil(this.audit::add)
				.delayUntil((id) -> this.events.publishEvent(new Placed(id)));
		}

	}

	public static class ReactiveAudit {

		private final DatabaseClient database;

		public ReactiveAudit(DatabaseClient database) {
			this.database = database;
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public Mono<Void> add(long orderId) {
			return this.database.sql(INSERT_AUDIT).bind("id", orderId).then();
		}

	}

}
