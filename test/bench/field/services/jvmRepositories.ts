import type { FieldService } from '../fieldService.ts';
import { mavenPackage, mavenPlugin, mavenPom } from './jvmPom.ts';

const jvm = { runtime: 'jvm', usesPostgres: true, build: mavenPackage } as const;

const micronautData: FieldService = {
  ...jvm,
  name: 'micronaut-data-run',
  files: {
    'pom.xml': mavenPom({
      parent: 'io.micronaut.platform:micronaut-parent:4.10.8',
      properties: {
        packaging: 'jar',
        'jdk.version': '17',
        'release.version': '17',
        'micronaut.version': '4.10.8',
        'exec.mainClass': 'example.micronaut.Application',
      },
      dependencies: [
        'io.micronaut:micronaut-http-server-netty',
        'io.micronaut.serde:micronaut-serde-jackson',
        'io.micronaut.data:micronaut-data-jdbc',
        'io.micronaut.sql:micronaut-jdbc-hikari',
        'io.micronaut.flyway:micronaut-flyway',
        'org.flywaydb:flyway-database-postgresql',
        'org.postgresql:postgresql',
        'ch.qos.logback:logback-classic',
      ],
      plugins:
        mavenPlugin('io.micronaut.maven:micronaut-maven-plugin', '') +
        mavenPlugin(
          'org.apache.maven.plugins:maven-compiler-plugin',
          `        <configuration><annotationProcessorPaths combine.self="override">
          <path><groupId>io.micronaut</groupId><artifactId>micronaut-inject-java</artifactId><version>\${micronaut.core.version}</version></path>
          <path><groupId>io.micronaut.data</groupId><artifactId>micronaut-data-processor</artifactId><version>\${micronaut.data.version}</version>
            <exclusions><exclusion><groupId>io.micronaut</groupId><artifactId>micronaut-inject</artifactId></exclusion></exclusions></path>
          <path><groupId>io.micronaut.serde</groupId><artifactId>micronaut-serde-processor</artifactId><version>\${micronaut.serde.version}</version>
            <exclusions><exclusion><groupId>io.micronaut</groupId><artifactId>micronaut-inject</artifactId></exclusion></exclusions></path>
        </annotationProcessorPaths></configuration>
`,
        ),
    }).replace('<version>1.0.0</version>\n', '<version>1.0.0</version>\n  <packaging>${packaging}</packaging>\n'),
    'src/main/resources/application.properties': `micronaut.application.name=genres
datasources.default.db-type=postgres
datasources.default.dialect=POSTGRES
datasources.default.driver-class-name=org.postgresql.Driver
datasources.default.url=\${JDBC_URL}
datasources.default.username=\${JDBC_USER}
datasources.default.password=\${JDBC_PASSWORD}
flyway.datasources.default.enabled=true
`,
    'src/main/resources/db/migration/V1__schema.sql': `create table genre (id bigserial primary key, name varchar(255) not null unique);
insert into genre (name) select 'Genre ' || n from generate_series(1, 30) n;
`,
    'src/main/java/example/micronaut/Application.java': `package example.micronaut;

import io.micronaut.runtime.Micronaut;

public class Application {
  public static void main(String[] args) {
    Micronaut.run(Application.class, args);
  }
}
`,
    'src/main/java/example/micronaut/Genre.java': `package example.micronaut;

import io.micronaut.data.annotation.GeneratedValue;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;

@Serdeable
@MappedEntity
public record Genre(@Id @GeneratedValue Long id, String name) {}
`,
    'src/main/java/example/micronaut/GenreRepository.java': `package example.micronaut;

import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.PageableRepository;

@JdbcRepository(dialect = Dialect.POSTGRES)
public interface GenreRepository extends PageableRepository<Genre, Long> {}
`,
    'src/main/java/example/micronaut/GenreController.java': `package example.micronaut;

import io.micronaut.data.model.Pageable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Optional;

@ExecuteOn(TaskExecutors.BLOCKING)
@Controller("/genres")
class GenreController {
  private final GenreRepository genreRepository;

  GenreController(GenreRepository genreRepository) {
    this.genreRepository = genreRepository;
  }

  @Get("/{id}")
  Optional<Genre> show(Long id) {
    return genreRepository.findById(id);
  }

  @Get("/list")
  List<Genre> list(Pageable pageable) {
    return genreRepository.findAll(pageable).getContent();
  }
}
`,
  },
  command: ['mvn', 'mn:run'],
  env: { JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}', JDBC_USER: '{user}', JDBC_PASSWORD: '{password}' },
  pool: { setBy: 'DATASOURCES_DEFAULT_MAXIMUM_POOL_SIZE' },
  routes: ['/genres/list', '/genres/3'],
};

const quarkusPanache: FieldService = {
  ...jvm,
  name: 'quarkus-panache',
  files: {
    'pom.xml': mavenPom({
      managed: ['io.quarkus:quarkus-bom:3.33.2'],
      dependencies: [
        'io.quarkus:quarkus-rest-jackson',
        'io.quarkus:quarkus-hibernate-orm-panache',
        'io.quarkus:quarkus-jdbc-postgresql',
        'io.quarkus:quarkus-smallrye-health',
        'io.quarkus:quarkus-arc',
      ],
      plugins: mavenPlugin(
        'io.quarkus:quarkus-maven-plugin:3.33.2',
        `        <extensions>true</extensions>
        <executions><execution><goals><goal>build</goal><goal>generate-code</goal></goals></execution></executions>
`,
      ),
    }),
    'src/main/resources/application.properties': `quarkus.datasource.db-kind=postgresql
quarkus.hibernate-orm.schema-management.strategy=drop-and-create
quarkus.hibernate-orm.sql-load-script=import.sql
`,
    'src/main/resources/import.sql': `insert into fruit (id, name) values (1, 'Cherry');
insert into fruit (id, name) values (2, 'Apple');
insert into fruit (id, name) values (3, 'Banana');
`,
    'src/main/java/org/acme/Fruit.java': `package org.acme;

import io.quarkus.hibernate.orm.panache.PanacheEntity;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;

@Entity
@Cacheable
public class Fruit extends PanacheEntity {
  @Column(length = 40, unique = true)
  public String name;
}
`,
    'src/main/java/org/acme/FruitResource.java': `package org.acme;

import io.quarkus.panache.common.Sort;
import jakarta.ws.rs.*;
import java.util.List;

@Path("fruits")
public class FruitResource {
  @GET
  public List<Fruit> list() {
    return Fruit.listAll(Sort.by("name"));
  }

  @GET
  @Path("{id}")
  public Fruit getSingle(Long id) {
    Fruit entity = Fruit.findById(id);
    if (entity == null) {
      throw new WebApplicationException("Fruit with id of " + id + " does not exist.", 404);
    }
    return entity;
  }
}
`,
  },
  command: ['java', '-jar', 'target/quarkus-app/quarkus-run.jar'],
  env: {
    QUARKUS_DATASOURCE_JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    QUARKUS_DATASOURCE_USERNAME: '{user}',
    QUARKUS_DATASOURCE_PASSWORD: '{password}',
  },
  pool: { setBy: 'QUARKUS_DATASOURCE_JDBC_MAX_SIZE' },
  routes: ['/fruits', '/fruits/3', '/q/health'],
};

/** Services whose framework writes the queries of its repositories and entities. */
export const jvmRepositoryServices: readonly FieldService[] = [micronautData, quarkusPanache];
