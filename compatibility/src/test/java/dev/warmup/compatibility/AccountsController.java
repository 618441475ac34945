package dev.warmup.compatibility;

import java.security.Principal;
import java.util.List;
import java.util.UUID;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Who has signed in opens and closes accounts. */
@RestController
class AccountsController {

	private final Accounts accounts;

	AccountsController(Accounts accounts) {
		this.accounts = accounts;
	}

	@GetMapping("/mine")
	List<Account> mine(Principal user) {
		return this.accounts.findByOwner(user.getName());
	}

	@PostMapping("/mine")
	@ResponseStatus(HttpStatus.CREATED)
	Account open(Principal user) {
		return this.accounts.save(new Account(UUID.randomUUID(), user.getName()));
	}

	@DeleteMapping("/mine/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void close(@PathVariable UUID id) {
		this.accounts.deleteById(id);
	}

}
