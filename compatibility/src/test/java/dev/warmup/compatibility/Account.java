package dev.warmup.compatibility;

import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** What the accounts service keeps in its database. */
@Entity
public class Account {

	@Id
	private @Nullable UUID id;

	private @Nullable String owner;

	protected Account() {
	}

	Account(UUID id, String owner) {
		this.id = id;
		this.owner = owner;
	}

	public @Nullable UUID getId() {
		return this.id;
	}

	public @Nullable String getOwner() {
		return this.owner;
	}

}
