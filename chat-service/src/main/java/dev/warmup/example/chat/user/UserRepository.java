package dev.warmup.example.chat.user;

import reactor.core.publisher.Mono;

import org.springframework.data.r2dbc.repository.Modifying;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;

/** The table of {@link User users}. */
interface UserRepository extends ReactiveCrudRepository<User, Long> {

	/** Removes a user in one round trip, and returns the number of removed rows. */
	@Modifying
	@Query("DELETE FROM users WHERE id = :id")
	Mono<Long> removeById(long id);

}
