import { mavenPackage } from './jvmPom.ts';

export const springBoot3 = 'org.springframework.boot:spring-boot-starter-parent:3.5.7';
export const springBootPlugin =
  '      <plugin><groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId></plugin>\n';
/** The driver in the version that Spring Boot says. */
export const springDriver = 'org.postgresql:postgresql';
/** What services of Spring Boot have in common. */
export const springService = { runtime: 'jvm', build: mavenPackage, usesPostgres: true } as const;

/** The coordinates of a starter, by the end of its name. */
export const springStarter = (name: string): string => `org.springframework.boot:spring-boot-starter-${name}`;

/** The class that starts Spring Boot. */
export const springApplication = (pack: string, name: string): string => `package ${pack};

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ${name} {
  public static void main(String[] args) {
    SpringApplication.run(${name}.class, args);
  }
}
`;
