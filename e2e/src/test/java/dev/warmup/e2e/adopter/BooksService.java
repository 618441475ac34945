package dev.warmup.e2e.adopter;

import java.util.List;
import java.util.Map;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A service on Spring MVC and JDBC that has no catalog. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BooksService {

	/** Found as a member of the application's class. */
	@RestController
	static class Controller {

		private final JdbcClient database;

		Controller(JdbcClient database) {
			this.database = database;
			database.sql("create table author (id identity primary key, name varchar(100))").update();
			database.sql("create table book (id identity primary key, author bigint, title varchar(100), pages int)")
				.update();
			for (String name : List.of("Ann", "Ben", "Cem")) {
				long author = addAuthor(new NewAuthor(name)).id();
				for (int i = 0; i < 50; i++) {
					addBook(new NewBook(author, name + " " + i, 100 + i));
				}
			}
		}

		@GetMapping("/books")
		List<Book> books() {
			return this.database.sql("select * from book order by id limit 20").query(Book.class).list();
		}

		@GetMapping("/books/{id}")
		Book book(@PathVariable long id) {
			return this.database.sql("select * from book where id = ?").param(id).query(Book.class).single();
		}

		@PostMapping("/books")
		@ResponseStatus(HttpStatus.CREATED)
		Book addBook(@RequestBody NewBook book) {
			return this.database
				.sql("select * from final table (insert into book (author, title, pages) values (?, ?, ?))")
				.params(book.author(), book.title(), book.pages())
				.query(Book.class)
				.single();
		}

		@PutMapping("/books/{id}")
		Book change(@PathVariable long id, @RequestBody NewBook book) {
			this.database.sql("update book set title = ?, pages = ? where id = ?")
				.params(book.title(), book.pages(), id)
				.update();
			return book(id);
		}

		@DeleteMapping("/books/{id}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void remove(@PathVariable long id) {
			this.database.sql("delete from book where id = ?").param(id).update();
		}

		@GetMapping("/books/search")
		List<Book> search(@RequestParam String title) {
			return this.database.sql("select * from book where lower(title) like ? order by title limit 20")
				.param("%" + title + "%")
				.query(Book.class)
				.list();
		}

		@GetMapping("/authors")
		List<Author> authors() {
			return this.database.sql("select * from author order by name").query(Author.class).list();
		}

		@GetMapping("/authors/{id}/books")
		List<Book> booksOf(@PathVariable long id) {
			return this.database.sql("select * from book where author = ? limit 20").param(id).query(Book.class).list();
		}

		@PostMapping("/authors")
		@ResponseStatus(HttpStatus.CREATED)
		Author addAuthor(@RequestBody NewAuthor author) {
			return this.database.sql("select * from final table (insert into author (name) values (?))")
				.param(author.name())
				.query(Author.class)
				.single();
		}

		@DeleteMapping("/authors/{id}")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void removeAuthor(@PathVariable long id) {
			this.database.sql("delete from author where id = ?").param(id).update();
		}

		@GetMapping("/statistics")
		List<Map<String, Object>> statistics() {
			return this.database
				.sql("select a.name, count(*) books, avg(b.pages) pages from author a join book b on b.author = a.id "
						+ "group by a.name order by a.name")
				.query()
				.listOfRows();
		}

	}

	record Author(long id, String name) {

	}

	record NewAuthor(String name) {

	}

	record Book(long id, long author, String title, int pages) {

	}

	record NewBook(long author, String title, int pages) {

	}

}
