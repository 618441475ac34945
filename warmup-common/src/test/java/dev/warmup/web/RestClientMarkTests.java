package dev.warmup.web;

import org.junit.jupiter.api.Test;

import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RestClientMarkTests {

	private final RestClientMark mark = new RestClientMark();

	@Test
	void bodiesAreNotHeldInMemoryForAnInterceptor() {
		RestClient.Builder builder = RestClient.builder();
		this.mark.addTo(builder);
		builder.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty());
		RestTemplate template = new RestTemplate();
		this.mark.addTo(template);
		assertThat(template.getInterceptors()).isEmpty();
	}

}
