package dev.warmup.proposal;

import java.lang.annotation.Annotation;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.reactivestreams.Publisher;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.BeanUtils;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * What the JSON of a type looks like. Annotations of validation and documentation, whose
 * libraries may be absent, are known by their simple names.
 */
record Skeleton(JsonMapper mapper, String name, JavaType type, MergedAnnotations annotations) {

	private static final int DEEPEST = 3;

	private static final String WRAPPERS = "Mono|Optional|Callable|DeferredResult|WebAsyncTask|Completable.*|.*Entity";

	private static final Map<Class<?>, Object> SAMPLES = Map.of(UUID.class, "{{uuid}}", Instant.class, "{{now}}",
			LocalDate.class, "2030-01-01", LocalDateTime.class, "2030-01-01T12:00:00", Duration.class, "PT1M",
			Boolean.class, true);

	/** A whole body. */
	static Skeleton of(JsonMapper mapper, JavaType type) {
		return new Skeleton(mapper, "body", type, MergedAnnotations.from());
	}

	/** The type of a parameter or answer, without what Spring unwraps. */
	static JavaType content(MethodParameter parameter, Class<?> owner) {
		return content(JsonMapper.shared()
			.constructType(GenericTypeResolver.resolveType(parameter.getGenericParameterType(), owner)));
	}

	private static JavaType content(JavaType type) {
		return (type.containedTypeCount() == 1 && type.getRawClass().getSimpleName().matches(WRAPPERS))
				? content(type.containedType(0)) : type;
	}

	private static Optional<JavaType> element(JavaType type) {
		return type.isArrayType() ? Optional.of(type.getContentType())
				: Stream.of(Collection.class, Publisher.class, Stream.class)
					.flatMap((each) -> Stream.of(type.findTypeParameters(each)))
					.findFirst();
	}

	/** Those that are written. */
	private static List<BeanPropertyDefinition> properties(JsonMapper mapper, JavaType type) {
		ClassIntrospector types = mapper.serializationConfig().classIntrospectorInstance();
		return types.introspectForSerialization(type, types.introspectClassAnnotations(type)).findProperties();
	}

	/** Those that are read, such as a password that is never written. */
	private List<BeanPropertyDefinition> properties(JavaType type) {
		ClassIntrospector types = this.mapper.deserializationConfig().classIntrospectorInstance();
		return types.introspectForDeserialization(type, types.introspectClassAnnotations(type)).findProperties();
	}

	/**
	 * The JSONPath of the value of a path variable: a property with that name, or an id.
	 * @param several whether that is in the first of a list or page
	 */
	static Optional<String> path(JsonMapper mapper, JavaType answer, String variable, boolean several) {
		Optional<JavaType> element = element(answer);
		if (!several) {
			List<String> names = properties(mapper, answer).stream().map(BeanPropertyDefinition::getName).toList();
			return Stream.of(variable, "id").filter(names::contains).map("$."::concat).findFirst();
		}
		if (element.isEmpty()) {
			return properties(mapper, answer).stream()
				.filter((each) -> element(each.getPrimaryType()).isPresent())
				.flatMap((each) -> path(mapper, each.getPrimaryType(), variable, true).stream()
					.map((path) -> path.replace("$", "$." + each.getName())))
				.findFirst();
		}
		return BeanUtils.isSimpleValueType(element.get().getRawClass()) ? Optional.of("$[0]")
				: path(mapper, element.get(), variable, false).map((path) -> path.replace("$", "$[0]"));
	}

	/**
	 * A value that fits the type, and constraints as far as they are simple.
	 * @param notes takes what is left to a person
	 */
	Object sample(Consumer<String> notes, int depth) {
		JavaType content = content(this.type);
		Class<?> raw = ClassUtils.resolvePrimitiveIfNecessary(content.getRawClass());
		Optional<JavaType> element = element(content);
		Optional<String> example = find("Schema", "example", String.class).filter((each) -> !each.isEmpty());
		find("Pattern", "regexp", String.class)
			.ifPresent((regexp) -> notes.accept(this.name + " must match " + regexp.replaceAll("\\s", " ")));
		if (Number.class.isAssignableFrom(raw)) {
			long least = Math.max(1, find("Min", "value", Long.class).orElse(1L));
			return example.filter((each) -> each.matches("-?\\d{1,18}"))
				.map(Long::valueOf)
				.orElseGet(() -> Math.min(least, find("Max", "value", Long.class).orElse(least)));
		}
		if (BeanUtils.isSimpleValueType(raw)) {
			return SAMPLES.containsKey(raw) ? SAMPLES.get(raw)
					: raw.isEnum() ? Stream.of(raw.getEnumConstants()).findFirst().map(Object::toString).orElse("")
							: example.orElseGet(this::text);
		}
		if (element.isPresent() || depth == DEEPEST) {
			return element.filter((each) -> depth < DEEPEST)
				.map((each) -> List
					.of(new Skeleton(this.mapper, this.name, each, MergedAnnotations.from()).sample(notes, depth + 1)))
				.orElse(List.of());
		}
		Map<String, Object> values = new LinkedHashMap<>();
		properties(content).forEach((each) -> values.put(each.getName(),
				new Skeleton(this.mapper, each.getName(), each.getPrimaryType(),
						MergedAnnotations.from(each.getPrimaryMember().annotations().toArray(Annotation[]::new)))
					.sample(notes, depth + 1)));
		return values;
	}

	private String text() {
		if (find("Email", "message", String.class).isPresent() || this.name.matches("(?i).*mail.*")) {
			return "{{uuid}}@warmup.invalid";
		}
		int least = Math.max(7, Math.min(1000, find("Size", "min", Integer.class).orElse(0)));
		return "warm-up-".repeat(least / 8 + 1)
			.substring(0, Math.min(least, find("Size", "max", Integer.class).orElse(least)));
	}

	private <T> Optional<T> find(String annotation, String attribute, Class<T> type) {
		return this.annotations.stream()
			.filter((each) -> each.getType().getSimpleName().equals(annotation))
			.findFirst()
			.flatMap((each) -> each.getValue(attribute, type));
	}

}
