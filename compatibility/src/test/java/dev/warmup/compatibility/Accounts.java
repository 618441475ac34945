package dev.warmup.compatibility;

import java.util.List;
import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

/** The accounts in the database. */
public interface Accounts extends JpaRepository<Account, UUID> {

	List<Account> findByOwner(String owner);

}
