package dev.warmup.example.chat.room;

import reactor.core.publisher.Mono;

import org.springframework.data.r2dbc.repository.Modifying;
import org.springframework.data.r2dbc.repository.Query;
import org.springframework.data.repository.Repository;

/** The table of {@link Member memberships}. */
interface MemberRepository extends Repository<Member, Long> {

	@Modifying
	@Query("""
			INSERT INTO members (room_id, user_id) SELECT r.id, CAST(:user AS BIGINT) FROM rooms r
			WHERE r.id = :room AND NOT EXISTS (SELECT 1 FROM members m WHERE m.room_id = :room AND m.user_id = :user)
			""")
	Mono<Long> addIfAbsent(long room, long user);

	@Modifying
	@Query("DELETE FROM members WHERE room_id = :room AND user_id = :user")
	Mono<Long> remove(long room, long user);

}
