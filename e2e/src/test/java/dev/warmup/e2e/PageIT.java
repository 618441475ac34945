package dev.warmup.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warmup.bench.stack.App;
import dev.warmup.bench.stack.Stack;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The page at {@code /actuator/warmup/page} in Chromium: of a real gateway, and of a
 * server whose status a test sets.
 */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PageIT {

	private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

	private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

	private static final String PAGE = "/actuator/warmup/page";

	private static final String MARKUP = "<img src=x onerror=alert(1)><b>shop</b>";

	private static final String DEGRADED = "GET /orders 500 (expected 2xx)";

	private static final By ROWS = By.cssSelector("#fleet .instance > tr:first-child");

	private static final AtomicInteger ASKED = new AtomicInteger();

	private static HttpServer server;

	private static ChromeDriver browser;

	private static volatile int code;

	private static volatile String body;

	@BeforeAll
	static void start() throws IOException {
		Assumptions.assumeTrue(System.getenv("CI") != null || (Files.exists(CHROMIUM) && Files.exists(DRIVER)),
				"There is no Chromium: apt-get install chromium chromium-driver");
		server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext(PAGE, (exchange) -> {
			try (var page = Objects.requireNonNull(PageIT.class.getResourceAsStream("/dev/warmup/actuate/page.html"))) {
				answer(exchange, 200, "text/html;charset=UTF-8", page.readAllBytes());
			}
		});
		server.createContext("/actuator/warmup", (exchange) -> {
			answer(exchange, code, "application/json", body.getBytes(StandardCharsets.UTF_8));
			ASKED.incrementAndGet();
		});
		server.start();
		browser = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build(),
				new ChromeOptions().setBinary(CHROMIUM.toFile())
					.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
							"--disable-background-networking", "--disable-component-update", "--disable-sync",
							"--no-first-run"));
	}

	private static void answer(HttpExchange exchange, int status, String type, byte[] content) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", type);
		exchange.sendResponseHeaders(status, content.length);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(content);
		}
	}

	@AfterAll
	static void stop() {
		if (browser != null) {
			browser.quit();
		}
		if (server != null) {
			server.stop(0);
		}
	}

	@BeforeEach
	void reset() {
		code = 200;
		window(1280, 900);
		media("light");
	}

	@Test
	void fleetOfARealGatewayIsShownARunOpensByTheKeyboardAndAllStaysWhenTheGatewayStops() {
		try (Stack stack = Stacks.warm(Stacks.counted("page", 5).services(2))) {
			App gateway = stack.gateway();
			browser.get(gateway.url(PAGE));
			List<String> ids = stack.services().stream().map(Stacks::id).sorted().toList();
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(texts("#fleet .instance th button")).isEqualTo(ids));
			await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(texts(".instance .WARM")).hasSize(2));
			assertThat(text("#gateway")).startsWith("gateway/" + Stacks.id(gateway)).contains("WARM", "gate open");
			assertThat(text("#journal")).contains("chat-service/" + ids.get(0) + " WARM startup", " READY: ");
			element("#filter").sendKeys(Keys.TAB, Keys.NULL);
			WebElement service = browser.switchTo().activeElement();
			assertThat(service.getAccessibleName()).isEqualTo("chat-service: 2 warm");
			service.sendKeys(Keys.TAB, Keys.NULL);
			WebElement instance = browser.switchTo().activeElement();
			assertThat(instance.getAriaRole()).isEqualTo("button");
			assertThat(instance.getAccessibleName()).isEqualTo(ids.get(0));
			instance.sendKeys(Keys.ENTER);
			assertThat(instance.getDomAttribute("aria-expanded")).isEqualTo("true");
			assertThat(element("svg").getAriaRole()).isIn("img", "image");
			assertThat(element("svg").getAccessibleName()).contains("Median latency", "gate opened after");
			assertThat(texts(".detail:not([hidden]) dd")).anyMatch((figure) -> figure.endsWith(", WARM"))
				.anyMatch(Stacks.id(gateway)::equals);
			instance.sendKeys(Keys.SPACE);
			assertThat(element(".detail").isDisplayed()).isFalse();
			gateway.stop();
			await().atMost(Stacks.SOON)
				.untilAsserted(() -> assertThat(text("#age")).matches("No answer for \\d+ s\\."));
			String age = text("#age");
			await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(text("#age")).isNotEqualTo(age));
			assertThat(text("#message")).isEqualTo("These figures are old: the gateway does not answer.");
			assertThat(texts("#fleet .instance th button")).isEqualTo(ids);
		}
	}

	@Test
	void troubleComesFirstWithItsReasonAndASignBesidesItsColor() {
		open(entry("chat", "chat-1", "WARM", ""), entry("orders", "orders-1", "WARM", ""),
				entry("orders", "orders-2", "DEGRADED", ""), entry("orders", "orders-3", "FAILED", ""));
		assertThat(texts("#fleet th[scope=colgroup] button")).containsExactly("orders: 1 failed, 1 degraded, 1 warm",
				"chat: 1 warm");
		assertThat(texts("#fleet .instance th button")).containsExactly("orders-3", "orders-2", "orders-1", "chat-1");
		assertThat(texts("#fleet .reason")).containsExactly(DEGRADED, DEGRADED, "", "");
		assertThat(texts("#fleet .sign")).containsExactly("✕", "▲", "●", "●");
		assertThat(element("#fleet").getAriaRole()).isEqualTo("table");
		assertThat(element("#fleet").getAccessibleName()).isEqualTo("Instances by service");
		assertThat(element("#filter").getAccessibleName()).isEqualTo("Filter");
		assertThat(element("#message").getAriaRole()).isEqualTo("status");
	}

	@Test
	void markupInWhatInstancesSayIsText() {
		open(entry(MARKUP, MARKUP, "FAILED",
				"""
						, "findings": {"uncovered": 1, "share": 0.5, "requests": [{"request": "%1$s", "share": 0.5, "entry": "%1$s"}]}"""
					.formatted(MARKUP)));
		element("#fleet .instance button").click();
		assertThat(texts("#fleet .instance th button")).containsExactly(MARKUP);
		assertThat(text("#fleet .service")).contains(MARKUP);
		assertThat(text("pre")).isEqualTo(MARKUP);
		assertThat(text("#journal")).contains(MARKUP);
		assertThat(browser.findElements(By.cssSelector("img, b"))).isEmpty();
	}

	@Test
	void proposalForUncoveredRequestsIsCopied() {
		open(entry("orders", "orders-1", "WARM", """
				, "findings": {"uncovered": 2, "share": 0.125, "requests": [
				{"request": "GET /orders/{id}", "share": 0.1, "entry": "- GET /orders/1"},
				{"request": "GET /carts", "share": 0.025, "entry": "- GET /carts"}]}"""));
		element("#fleet .instance button").click();
		assertThat(text(".detail h3"))
			.isEqualTo("Requests that are not in the catalog: 2, with 12.5 % of users’ calls");
		assertThat(texts(".detail li")).containsExactly("GET /orders/{id}: 10 %", "GET /carts: 2.5 %");
		element(".detail button").sendKeys(Keys.ENTER);
		assertThat(text(".detail span[role=status]")).isEqualTo("Copied.");
		element("#filter").sendKeys(Keys.chord(Keys.CONTROL, "v"));
		assertThat(element("#filter").getDomProperty("value")).isEqualTo("- GET /orders/1 - GET /carts");
	}

	@Test
	void fiveHundredInstancesAreFilteredClosedAndTouchedOnlyWhereTheyChange() {
		openStatus(many("WARM"));
		assertThat(text("#message")).isEqualTo("Instances: 500 warm");
		assertThat(browser.findElements(ROWS)).hasSize(500).noneMatch(WebElement::isDisplayed);
		WebElement service = element("#fleet .service button");
		service.click();
		assertThat(displayed()).hasSize(25);
		element("#filter").sendKeys("service-07/instance-3");
		assertThat(displayed()).isEmpty();
		element("#filter").clear();
		element("#filter").sendKeys("instance-499");
		assertThat(displayed()).containsExactly("instance-499");
		assertThat(text("#message")).isEqualTo("Instances: 1 of 500 shown");
		element("#filter").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE);
		browser.executeScript(
				"""
						window.touched = [];
						new MutationObserver((all) => all.forEach(({ target }) => touched.push(target.textContent)))
							.observe(document.querySelector("#fleet"), { subtree: true, childList: true, attributes: true, characterData: true })""");
		int before = ASKED.get();
		await().atMost(Stacks.SOON).until(() -> ASKED.get() > before + 1);
		assertThat(touched()).isEmpty();
		body = many("DEGRADED");
		await().atMost(Stacks.SOON)
			.untilAsserted(() -> assertThat(text("#message")).isEqualTo("Instances: 1 degraded, 499 warm"));
		assertThat(browser.findElements(By.cssSelector("#fleet .service button")).get(0).getText())
			.isEqualTo("service-19: 1 degraded, 24 warm");
		assertThat(touched()).isNotEmpty().noneMatch((text) -> text.contains("instance-42"));
	}

	private static List<String> touched() {
		return ((List<?>) browser.executeScript("return touched.filter((text) => !text.includes('service-00'))"))
			.stream()
			.map(String::valueOf)
			.toList();
	}

	private static List<String> displayed() {
		return browser.findElements(ROWS)
			.stream()
			.filter(WebElement::isDisplayed)
			.map((row) -> row.findElement(By.tagName("button")).getText())
			.toList();
	}

	@ParameterizedTest
	@CsvSource({ "light, 390", "dark, 390", "dark, 1280" })
	void nothingScrollsSidewaysAndColorsFollowTheSystem(String scheme, int width) {
		window(width, 844);
		media(scheme);
		open(entry("orders-of-a-service-with-a-long-name", "ip-10-12-137-214.eu-central-1.compute.internal:orders:8080",
				"DEGRADED", """
						, "findings": {"uncovered": 1, "share": 0.1, "requests": [
						{"request": "GET /orders/{orderId}/positions/{positionId}", "share": 0.1, "entry": "%s"}]}"""
					.formatted("- GET /" + "x".repeat(200))));
		element("#fleet .instance button").click();
		assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
		assertThat(element("body").getCssValue("background-color"))
			.isEqualTo(scheme.equals("dark") ? "rgba(20, 23, 27, 1)" : "rgba(255, 255, 255, 1)");
	}

	@ParameterizedTest
	@CsvSource({ "401, sign in", "403, grant it access", "404, expose it", "500, answers 500" })
	void aRefusalSaysWhatToDo(int status, String advice) {
		code = status;
		body = "";
		browser.get(address());
		await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(text("#message")).contains(advice));
	}

	@Test
	void anEmptyFleetSaysWhatToDo() {
		open();
		assertThat(text("#message")).startsWith("No instance has the library yet: add warmup-common");
		assertThat(element("#fleet").isDisplayed()).isFalse();
	}

	private static void open(String... entries) {
		openStatus(status(List.of(entries)));
	}

	private static void openStatus(String status) {
		body = status;
		browser.get(address());
		await().atMost(Stacks.SOON).untilAsserted(() -> assertThat(text("#gateway")).contains("gateway/gateway-1"));
	}

	private static String address() {
		return "http://127.0.0.1:" + server.getAddress().getPort() + PAGE;
	}

	private static String many(String phaseOfTheLast) {
		return status(IntStream.range(0, 500)
			.mapToObj((i) -> entry("service-%02d".formatted(i / 25), "instance-" + i,
					(i < 499) ? "WARM" : phaseOfTheLast, ""))
			.toList());
	}

	private static String status(List<String> fleet) {
		return """
				{"service": "gateway", "instanceId": "gateway-1", "phase": "WARM", "since": "2026-11-29T12:00:00Z",
				"gate": "OPEN", "fleet": [%s], "journal": [{"at": "2026-11-29T12:00:01Z", "text": "%s WARMING"}]}"""
			.formatted(String.join(",", fleet), MARKUP);
	}

	private static String entry(String service, String id, String phase, String more) {
		return """
				{"service": "%s", "instanceId": "%s", "phase": "%s", "gate": "OPEN", "share": 1.0,
				"since": "2026-11-29T12:00:00Z", "run": {"id": "r-1", "trigger": "STARTUP", "verdict": "%3$s",
				"gateways": ["gateway-1"], "startedAt": "2026-11-29T12:00:00Z", "took": "PT3.2S", "sent": 600, "failed": 0,
				"first": "PT1.105S", "p50": "PT0.0062S", "p95": "PT0.0119S", "steady": false, "ratio": 178.2,
				"jit": "PT2.3S", "classesLoaded": 1934, "cpu": "PT1M9.1S", "reason": "%s",
				"curve": {"step": "PT1S", "p50": [1105.2, 0, 14.1, 6.2], "opened": "PT3.1S"}, "requests": []%s}}"""
			.formatted(service, id, phase, DEGRADED, more);
	}

	private static WebElement element(String selector) {
		return browser.findElement(By.cssSelector(selector));
	}

	private static String text(String selector) {
		return element(selector).getText();
	}

	private static List<String> texts(String selector) {
		return browser.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList();
	}

	private static void window(int width, int height) {
		browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
	}

	private static void media(String scheme) {
		browser.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

}
