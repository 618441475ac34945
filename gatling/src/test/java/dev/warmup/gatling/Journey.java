package dev.warmup.gatling;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * What one user does: signs up, opens a room, talks and reads there, and leaves nothing
 * behind. The requests are called what the catalog calls them.
 */
final class Journey {

	private static final String USERS = "/chat-service/users";

	private static final String USER = USERS + "/#{user}";

	private static final String ROOMS = "/chat-service/rooms";

	private static final String ROOM = ROOMS + "/#{room}";

	private static final String MEMBER = ROOM + "/members/#{user}";

	private static final String MESSAGES = ROOM + "/messages";

	private static final String NEWS = "Good morning";

	private static final String MORE_NEWS = "It is early";

	// how long somebody looks at an answer before going on
	private static final Duration SHORTEST_LOOK = Duration.ofMillis(200);

	private static final Duration LONGEST_LOOK = Duration.ofMillis(800);

	private static final List<HttpRequestActionBuilder> VISIT = List.of(signUp(), findUser(), listRooms(), openRoom(),
			findRoom(), join(), post("post-message", NEWS), post("post-another", MORE_NEWS), newestMessages(),
			olderMessages(), follow(), leave());

	private Journey() {
	}

	/**
	 * Counts the requests.
	 * @return how many a user sends whom nothing fails
	 */
	static int length() {
		return VISIT.size() + 2;
	}

	/**
	 * Puts the requests in their order. One that fails ends the visit, since the next
	 * needs what it would have brought; what the user has made by then is removed all the
	 * same.
	 * @return the journey of one user
	 */
	static ChainBuilder walk() {
		return exec((session) -> session.set("email", UUID.randomUUID() + "@load.invalid")).exitBlockOnFail()
			.on(exec(VISIT.stream().map((request) -> exec(request).pause(SHORTEST_LOOK, LONGEST_LOOK)).toList()))
			.doIf((session) -> session.contains("room"))
			.then(closeRoom()) // takes its messages with it
			.doIf((session) -> session.contains("user"))
			.then(withdraw());
	}

	private static HttpRequestActionBuilder signUp() {
		return http("sign-up").post(USERS)
			.body(StringBody("""
					{"email": "#{email}", "name": "Load"}"""))
			.asJson()
			.check(status().is(201), jsonPath("$.id").ofLong().saveAs("user"), jsonPath("$.email").isEL("#{email}"));
	}

	private static HttpRequestActionBuilder findUser() {
		return http("find-user").get(USER).check(status().is(200), jsonPath("$.email").isEL("#{email}"));
	}

	private static HttpRequestActionBuilder listRooms() {
		return http("list-rooms").get(ROOMS).check(status().is(200), jsonPath("$").ofList().exists());
	}

	private static HttpRequestActionBuilder openRoom() {
		return http("open-room").post(ROOMS)
			.body(StringBody("""
					{"name": "Load of #{user}"}"""))
			.asJson()
			.check(status().is(201), jsonPath("$.id").ofLong().saveAs("room"));
	}

	private static HttpRequestActionBuilder findRoom() {
		return http("find-room").get(ROOM).check(status().is(200), jsonPath("$.name").isEL("Load of #{user}"));
	}

	private static HttpRequestActionBuilder join() {
		return http("join").put(MEMBER).check(status().is(204));
	}

	private static HttpRequestActionBuilder post(String name, String text) {
		return http(name).post(MESSAGES)
			.body(StringBody("""
					{"userId": #{user}, "text": "%s"}""".formatted(text)))
			.asJson()
			.check(status().is(201), jsonPath("$.text").is(text));
	}

	private static HttpRequestActionBuilder newestMessages() {
		return http("newest-messages").get(MESSAGES)
			.queryParam("limit", 1)
			.check(status().is(200), jsonPath("$.messages[*].text").findAll().is(List.of(MORE_NEWS)),
					jsonPath("$.next").ofLong().saveAs("next"));
	}

	private static HttpRequestActionBuilder olderMessages() {
		return http("older-messages").get(MESSAGES)
			.queryParam("before", "#{next}")
			.queryParam("limit", 1)
			.check(status().is(200), jsonPath("$.messages[*].text").findAll().is(List.of(NEWS)),
					jsonPath("$.next").isNull());
	}

	// ends by itself after the two messages
	private static HttpRequestActionBuilder follow() {
		return http("follow").get(MESSAGES + "/stream")
			.queryParam("limit", 2)
			.header("Accept", "text/event-stream")
			.check(status().is(200), regex("\"text\":\"([^\"]*)\"").findAll().is(List.of(NEWS, MORE_NEWS)));
	}

	private static HttpRequestActionBuilder leave() {
		return http("leave").delete(MEMBER).check(status().is(204));
	}

	private static HttpRequestActionBuilder closeRoom() {
		return http("close-room").delete(ROOM).check(status().is(204));
	}

	private static HttpRequestActionBuilder withdraw() {
		return http("withdraw").delete(USER).check(status().is(204));
	}

}
