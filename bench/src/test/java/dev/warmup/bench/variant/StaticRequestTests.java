package dev.warmup.bench.variant;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StaticRequestTests {

	@Test
	void mittensReadsMethodPathAndBodyBetweenColons() {
		assertThat(new StaticRequest("POST", "/rooms", Optional.of("{\"name\":\"a\"}")).flag())
			.isEqualTo("post:/rooms:{\"name\":\"a\"}");
		assertThat(new StaticRequest("GET", "/rooms/1", Optional.empty()).flag()).isEqualTo("get:/rooms/1");
	}

	@Test
	void noPathHasAColonSinceMittensWouldTakeTheRestForABody() {
		assertThat(StaticRequest.ofChat(1, true)).extracting(StaticRequest::path)
			.allSatisfy((path) -> assertThat(path).startsWith("/").doesNotContain(":"));
	}

	@Test
	void ourClientSendsTheSame() {
		HttpRequest request = new StaticRequest("POST", "/users", Optional.of("{}"))
			.to(URI.create("http://127.0.0.1:8080"), Map.of("Content-Type", "application/json"), Duration.ofSeconds(1));
		assertThat(request.uri()).hasToString("http://127.0.0.1:8080/users");
		assertThat(request.method()).isEqualTo("POST");
		assertThat(request.headers().firstValue("Content-Type")).contains("application/json");
		assertThat(request.bodyPublisher()).hasValueSatisfying((body) -> assertThat(body.contentLength()).isEqualTo(2));
	}

	@Test
	void eachCopySignsUpAnotherUserWhoCannotGetMail() {
		List<String> bodies = StaticRequest.ofChat(3, true)
			.stream()
			.filter((request) -> request.path().equals("/users"))
			.map((request) -> request.body().orElseThrow())
			.toList();
		assertThat(bodies).hasSize(3).doesNotHaveDuplicates().allMatch((body) -> body.contains("@warmup.invalid\""));
	}

	@Test
	void aRoomIsFollowedOnlyWhereMessagesArePosted() {
		assertThat(StaticRequest.ofChat(1, true)).extracting(StaticRequest::path)
			.anyMatch((path) -> path.contains("/stream"));
		assertThat(StaticRequest.ofChat(1, false)).isNotEmpty()
			.extracting(StaticRequest::path)
			.noneMatch((path) -> path.contains("/stream"));
	}

}
