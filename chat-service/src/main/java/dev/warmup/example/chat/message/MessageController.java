package dev.warmup.example.chat.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.warmup.example.chat.problem.NotFoundException;
import dev.warmup.example.chat.room.Members;
import dev.warmup.example.chat.room.RoomRepository;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Posts messages, and reads them by page or as a live stream. */
@RestController
@RequestMapping("/rooms/{room}/messages")
class MessageController {

	private final Members members;

	private final @Nullable PushNotifier push;

	private final MessageRepository messages;

	private final RoomRepository rooms;

	private final MessageStream stream;

	/**
	 * Creates the controller.
	 * @param push {@code null} without {@code chat.push.url}
	 */
	MessageController(Members members, @Nullable PushNotifier push, MessageRepository messages, RoomRepository rooms,
			MessageStream stream) {
		this.members = members;
		this.push = push;
		this.messages = messages;
		this.rooms = rooms;
		this.stream = stream;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Message> post(@PathVariable long room, @Valid @RequestBody NewMessage message) {
		return this.members.join(room, message.userId())
			.then(Mono.defer(() -> this.messages.save(message.in(room))))
			.delayUntil(this::push);
	}

	@GetMapping
	Mono<MessagePage> page(@PathVariable long room, @RequestParam(defaultValue = "" + Long.MAX_VALUE) long before,
			@RequestParam(defaultValue = "50") @Min(1) @Max(100) int limit) {
		return this.messages.newestBefore(room, before, limit + 1)
			.collectList()
			.map((found) -> MessagePage.of(found, limit))
			.delayUntil((page) -> page.messages().isEmpty() ? require(room) : Mono.empty());
	}

	/**
	 * Streams messages with a higher id than {@code after}, and ends after {@code limit}
	 * of them if given. A browser that reconnects sends {@code Last-Event-ID}, which
	 * takes precedence over {@code after}.
	 */
	@GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<ServerSentEvent<Message>> follow(@PathVariable long room, @RequestParam(defaultValue = "0") long after,
			@RequestParam(required = false) @Min(1) @Nullable Integer limit,
			@RequestHeader(name = "Last-Event-ID", required = false) @Nullable Long lastEventId) {
		Flux<ServerSentEvent<Message>> events = require(room)
			.thenMany(this.stream.follow(room, (lastEventId != null) ? lastEventId : after));
		return (limit != null) ? take(limit, events) : events;
	}

	/** Ends after the given number of messages; comments do not count. */
	private static Flux<ServerSentEvent<Message>> take(int limit, Flux<ServerSentEvent<Message>> events) {
		return Flux.defer(() -> {
			AtomicInteger left = new AtomicInteger(limit);
			return events.takeUntil((event) -> event.data() != null && left.decrementAndGet() == 0);
		});
	}

	private Mono<Void> push(Message stored) {
		return (this.push != null) ? this.push.posted(stored) : Mono.empty();
	}

	private Mono<Void> require(long room) {
		return this.rooms.findById(room).switchIfEmpty(Mono.error(() -> new NotFoundException("room", room))).then();
	}

	/**
	 * A message to be posted.
	 *
	 * @param userId the author, who becomes a member of the room
	 * @param text the text
	 */
	record NewMessage(@NotNull @Positive Long userId, @NotBlank @Size(max = 2000) String text) {

		Message in(long room) {
			return new Message(0, room, this.userId, this.text, Instant.now().truncatedTo(ChronoUnit.MICROS));
		}

	}

}
