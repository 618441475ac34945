package io.swagger.v3.oas.annotations.media;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the annotation of that name, which the library only knows by its name. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Schema {

	String example() default "";

}
