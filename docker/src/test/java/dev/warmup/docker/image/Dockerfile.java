package dev.warmup.docker.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The instructions of a Dockerfile.
 *
 * @param text the file as it is written
 * @param preamble what stands before the first stage
 * @param stages in their order, each from its FROM on; the last one is the image
 */
record Dockerfile(String text, List<Instruction> preamble, List<List<Instruction>> stages) {

	static Dockerfile read(Path file) {
		try {
			return parse(Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Dockerfile parse(String text) {
		List<Instruction> preamble = new ArrayList<>();
		List<List<Instruction>> stages = new ArrayList<>();
		String[] lines = text.replaceAll("(?m)^\\s*#.*\n", "").replaceAll("\\\\\n\\s*", "").split("\n");
		Stream.of(lines).filter((line) -> !line.isBlank()).map(Instruction::parse).forEach((instruction) -> {
			if (instruction.is("FROM")) {
				stages.add(new ArrayList<>());
			}
			(stages.isEmpty() ? preamble : stages.get(stages.size() - 1)).add(instruction);
		});
		return new Dockerfile(text, List.copyOf(preamble), stages.stream().map(List::copyOf).toList());
	}

	List<Instruction> image() {
		return this.stages.get(this.stages.size() - 1);
	}

	Stream<Instruction> all(String keyword) {
		return Stream.concat(this.preamble.stream(), this.stages.stream().flatMap(List::stream))
			.filter((each) -> each.is(keyword));
	}

	/**
	 * The arguments of the image's last instruction of a kind, which is the one that
	 * holds.
	 */
	String last(String keyword) {
		return image().stream()
			.filter((each) -> each.is(keyword))
			.reduce((former, latter) -> latter)
			.orElseThrow(() -> new AssertionError("No " + keyword))
			.arguments();
	}

	/**
	 * One instruction.
	 *
	 * @param keyword such as {@code COPY}
	 * @param arguments the rest, its lines joined
	 */
	record Instruction(String keyword, String arguments) {

		static Instruction parse(String line) {
			String[] parts = line.strip().split("\\s+", 2);
			return new Instruction(parts[0], (parts.length > 1) ? parts[1] : "");
		}

		boolean is(String name) {
			return this.keyword.equalsIgnoreCase(name);
		}

	}

}
