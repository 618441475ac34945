package dev.warmup.compatibility;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Is numbered from a table, for which JPA takes a second connection. */
@Entity
public class Receipt {

	@Id
	@GeneratedValue(strategy = GenerationType.TABLE)
	private @Nullable Long id;

	public @Nullable Long getId() {
		return this.id;
	}

}
