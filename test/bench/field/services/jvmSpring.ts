import type { FieldService } from '../fieldService.ts';
import { mavenPom } from './jvmPom.ts';
import { springApplication, springBoot3, springBootPlugin, springDriver, springService, springStarter } from './jvmSpringPom.ts';

const boot2 = 'org.springframework.boot:spring-boot-starter-parent:2.7.18';
const boot4 = 'org.springframework.boot:spring-boot-starter-parent:4.0.7';

const application = springApplication('shop', 'Application');

const schema = `create table if not exists items (id int primary key, name text);
insert into items select n, 'item ' || n from generate_series(1, 20) n on conflict do nothing;
`;

const jdbcController = `package shop;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/items")
public class ItemsController {
  private final JdbcTemplate jdbc;

  ItemsController(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @GetMapping
  List<Map<String, Object>> all() {
    return jdbc.queryForList("select * from items limit 10");
  }

  @GetMapping("/{id}")
  Map<String, Object> one(@PathVariable("id") int id) {
    return jdbc.queryForMap("select * from items where id = ?", id);
  }
}
`;

const sources = {
  'src/main/java/shop/Application.java': application,
  'src/main/java/shop/ItemsController.java': jdbcController,
  'src/main/resources/schema.sql': schema,
} as const;

const withoutTomcat = (server: string, more: readonly string[] = []): string =>
  mavenPom({
    parent: springBoot3,
    dependencies: [springStarter('web'), springStarter(server), springStarter('jdbc'), springDriver, ...more],
    plugins: springBootPlugin,
  }).replace(
    '<artifactId>spring-boot-starter-web</artifactId>',
    '<artifactId>spring-boot-starter-web</artifactId><exclusions><exclusion><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-tomcat</artifactId></exclusion></exclusions>',
  );

/** Spring Boot of three lines of versions, with each of its servers. */
export const jvmSpringServices: readonly FieldService[] = [
  {
    ...springService,
    name: 'spring-boot-2-mvc',
    files: {
      ...sources,
      'pom.xml': mavenPom({
        parent: boot2,
        dependencies: [springStarter('web'), springStarter('jdbc'), springDriver],
        plugins: springBootPlugin,
      }),
      'src/main/resources/application.properties':
        'spring.sql.init.mode=always\nspring.datasource.url=${DB_URL}\nspring.datasource.username=${DB_LOGIN}\nspring.datasource.password=${DB_PSWD}\n',
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { DB_URL: 'jdbc:postgresql://{host}:{port}/{name}', DB_LOGIN: '{user}', DB_PSWD: '{password}' },
    pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
    routes: ['/items', '/items/3'],
  },
  {
    ...springService,
    name: 'spring-boot-3-mvc',
    files: {
      ...sources,
      'pom.xml': mavenPom({
        parent: springBoot3,
        dependencies: [springStarter('web'), springStarter('jdbc'), springStarter('actuator'), springDriver],
        plugins: springBootPlugin,
      }),
      'src/main/resources/application.properties': 'spring.sql.init.mode=always\n',
    },
    command: ['mvn', 'spring-boot:run'],
    env: {
      SPRING_DATASOURCE_URL: 'jdbc:postgresql://{host}:{port}/{name}',
      SPRING_DATASOURCE_USERNAME: '{user}',
      SPRING_DATASOURCE_PASSWORD: '{password}',
    },
    pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
    routes: ['/items', '/items/3', '/actuator/health'],
  },
  {
    ...springService,
    name: 'spring-boot-3-webflux-r2dbc',
    files: {
      'pom.xml': mavenPom({
        parent: springBoot3,
        dependencies: [springStarter('webflux'), springStarter('data-r2dbc'), 'org.postgresql:r2dbc-postgresql'],
        plugins: springBootPlugin,
      }),
      'src/main/resources/application.yml':
        'spring:\n  sql.init.mode: always\n  r2dbc:\n    url: ${R2DBC_URL}\n    username: ${R2DBC_USER}\n    password: ${R2DBC_PASSWORD}\n',
      'src/main/resources/schema.sql': schema,
      'src/main/java/shop/Application.java': application,
      'src/main/java/shop/ItemsController.java': `package shop;

import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.*;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
public class ItemsController {
  private final DatabaseClient client;

  ItemsController(DatabaseClient client) {
    this.client = client;
  }

  @GetMapping("/items")
  Flux<Map<String, Object>> all() {
    return client.sql("select * from items limit 10").fetch().all();
  }

  @GetMapping("/items/{id}")
  Mono<Map<String, Object>> one(@PathVariable("id") int id) {
    return client.sql("select * from items where id = :id").bind("id", id).fetch().one();
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { R2DBC_URL: 'r2dbc:postgresql://{host}:{port}/{name}', R2DBC_USER: '{user}', R2DBC_PASSWORD: '{password}' },
    pool: { setBy: 'SPRING_R2DBC_POOL_MAX_SIZE' },
    routes: ['/items', '/items/3'],
  },
  {
    ...springService,
    name: 'spring-boot-3-jetty',
    files: {
      ...sources,
      'pom.xml': withoutTomcat('jetty'),
      'src/main/resources/application.yml':
        'server.port: 9191\nspring:\n  sql.init.mode: always\n  datasource:\n    url: jdbc:postgresql://${SHOP_DB_HOST}:${SHOP_DB_PORT}/${SHOP_DB_NAME}\n    username: ${SHOP_DB_USER}\n    password: ${SHOP_DB_PASSWORD}\n    hikari.maximum-pool-size: 6\n',
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { SHOP_DB_HOST: '{host}', SHOP_DB_PORT: '{port}', SHOP_DB_NAME: '{name}', SHOP_DB_USER: '{user}', SHOP_DB_PASSWORD: '{password}' },
    pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
    routes: ['/items', '/items/3'],
  },
  {
    ...springService,
    name: 'spring-boot-3-undertow-dbcp2',
    files: {
      ...sources,
      'pom.xml': withoutTomcat('undertow', ['org.apache.commons:commons-dbcp2']),
      'src/main/resources/application.properties':
        'spring.sql.init.mode=always\nspring.datasource.type=org.apache.commons.dbcp2.BasicDataSource\nspring.datasource.url=${DATABASE_JDBC}\nspring.datasource.username=${DATABASE_USER}\nspring.datasource.password=${DATABASE_PASSWORD}\n',
    },
    command: ['mvn', '-q', 'spring-boot:run'],
    env: { DATABASE_JDBC: 'jdbc:postgresql://{host}:{port}/{name}', DATABASE_USER: '{user}', DATABASE_PASSWORD: '{password}' },
    pool: { setBy: 'SPRING_DATASOURCE_DBCP2_MAX_TOTAL' },
    routes: ['/items', '/items/3'],
  },
  {
    ...springService,
    name: 'spring-boot-4-clinic',
    files: {
      'pom.xml': mavenPom({
        parent: boot4,
        dependencies: [
          springStarter('webmvc'),
          springStarter('data-jpa'),
          springStarter('thymeleaf'),
          springStarter('actuator'),
          springDriver,
        ],
        plugins: springBootPlugin,
      }),
      'src/main/resources/application.properties':
        'spring.application.name=clinic\nspring.thymeleaf.mode=HTML\nspring.jpa.open-in-view=false\nspring.jpa.hibernate.ddl-auto=none\n',
      'src/main/resources/application-postgres.properties':
        'spring.datasource.url=${POSTGRES_URL:jdbc:postgresql://localhost/clinic}\nspring.datasource.username=${POSTGRES_USER:clinic}\nspring.datasource.password=${POSTGRES_PASS:clinic}\nspring.sql.init.mode=always\nspring.sql.init.schema-locations=classpath:db/schema.sql\n',
      'src/main/resources/db/schema.sql':
        "create table if not exists owners (id int primary key, last_name text);\ninsert into owners select n, 'Owner ' || n from generate_series(1, 20) n on conflict do nothing;\n",
      'src/main/resources/templates/owners.html':
        '<!DOCTYPE html>\n<html xmlns:th="http://www.thymeleaf.org"><body><ul><li th:each="owner : ${owners}" th:text="${owner.lastName}">x</li></ul></body></html>\n',
      'src/main/java/shop/Application.java': application,
      'src/main/java/shop/Owner.java': `package shop;

import jakarta.persistence.*;

@Entity
@Table(name = "owners")
public class Owner {
  @Id private Integer id;
  private String lastName;

  public Integer getId() {
    return id;
  }

  public String getLastName() {
    return lastName;
  }
}
`,
      'src/main/java/shop/Owners.java': `package shop;

import org.springframework.data.jpa.repository.JpaRepository;

public interface Owners extends JpaRepository<Owner, Integer> {}
`,
      'src/main/java/shop/OwnerController.java': `package shop;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.*;

@Controller
public class OwnerController {
  private final Owners owners;

  OwnerController(Owners owners) {
    this.owners = owners;
  }

  @GetMapping("/owners")
  String list(Model model) {
    model.addAttribute("owners", owners.findAll());
    return "owners";
  }

  @GetMapping("/owners/{ownerId}")
  String one(@PathVariable("ownerId") int ownerId, Model model) {
    model.addAttribute("owners", owners.findById(ownerId).stream().toList());
    return "owners";
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar', '--spring.profiles.active=postgres'],
    env: { POSTGRES_URL: 'jdbc:postgresql://{host}:{port}/{name}', POSTGRES_USER: '{user}', POSTGRES_PASS: '{password}' },
    pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
    routes: ['/owners', '/owners/3'],
  },
];
