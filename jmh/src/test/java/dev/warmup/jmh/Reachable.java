package dev.warmup.jmh;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What the library keeps: its objects and their static fields, and the JDK's collections,
 * counters and locks in these. Where a field leads elsewhere, that is not looked into.
 */
final class Reachable {

	private static final Set<String> OF_THE_JDK = Set.of("java.util", "java.util.concurrent",
			"java.util.concurrent.atomic", "java.util.concurrent.locks");

	private final Set<Object> objects = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Deque<Object> waiting = new ArrayDeque<>();

	private Reachable(Collection<?> roots) {
		roots.forEach(this::meet);
		while (!this.waiting.isEmpty()) {
			lookInto(this.waiting.remove());
		}
	}

	/** All objects, each once. */
	static List<Object> from(Collection<?> roots) {
		return new ArrayList<>(new Reachable(roots).objects);
	}

	private void meet(Object object) {
		if (object != null && isOwn(object.getClass()) && this.objects.add(object)) {
			this.waiting.add(object);
		}
	}

	private static boolean isOwn(Class<?> type) {
		return type.isArray() ? !type.getComponentType().isPrimitive()
				: type.getName().startsWith("dev.warmup.") || OF_THE_JDK.contains(type.getPackageName());
	}

	private void lookInto(Object object) {
		if (object.getClass().isArray()) {
			for (int i = 0; i < Array.getLength(object); i++) {
				meet(Array.get(object, i));
			}
			return;
		}
		for (Class<?> type = object.getClass(); type != null && isOwn(type); type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (!field.getType().isPrimitive()
						&& (!Modifier.isStatic(field.getModifiers()) || type.getName().startsWith("dev.warmup."))) {
					meet(value(field, object));
				}
			}
		}
	}

	private static Object value(Field field, Object object) {
		try {
			field.setAccessible(true);
			return field.get(object);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
