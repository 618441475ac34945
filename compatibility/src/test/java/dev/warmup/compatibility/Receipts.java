package dev.warmup.compatibility;

import org.springframework.data.jpa.repository.JpaRepository;

/** The receipts in the database. */
public interface Receipts extends JpaRepository<Receipt, Long> {

}
