import type { FieldService } from '../fieldService.ts';
import { newerJavaFirst } from './jvmNewerJava.ts';
import { mavenPom } from './jvmPom.ts';
import { springApplication, springBoot3, springBootPlugin, springDriver, springService, springStarter } from './jvmSpringPom.ts';

const module = (artifact: string, packing: string, inside: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>com.example.orders</groupId><artifactId>orders-parent</artifactId><version>1.4.0-SNAPSHOT</version></parent>
  <artifactId>${artifact}</artifactId>
  <packaging>${packing}</packaging>
${inside}</project>
`;
const dependency = (group: string, artifact: string, more = ''): string =>
  `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${more}</dependency>\n`;
const starter = (name: string): string => dependency('org.springframework.boot', `spring-boot-starter-${name}`);

/** Two modules, virtual threads where the JDK has them, an API description, and a port of its own for the management. */
const multiModule: FieldService = {
  ...springService,
  name: 'spring-modules-virtual-threads',
  files: {
    'pom.xml': `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>3.5.7</version><relativePath/>
  </parent>
  <groupId>com.example.orders</groupId>
  <artifactId>orders-parent</artifactId>
  <version>1.4.0-SNAPSHOT</version>
  <packaging>pom</packaging>
  <properties><java.version>17</java.version></properties>
  <modules>
    <module>orders-core</module>
    <module>orders-api</module>
  </modules>
</project>
`,
    'orders-core/pom.xml': module('orders-core', 'jar', `  <dependencies>\n${starter('jdbc')}  </dependencies>\n`),
    'orders-core/src/main/java/com/example/orders/core/Order.java': `package com.example.orders.core;

import java.util.UUID;

public record Order(UUID id, String customer, int totalCents) {}
`,
    'orders-core/src/main/java/com/example/orders/core/OrderRepository.java': `package com.example.orders.core;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
public class OrderRepository {
  private final JdbcClient jdbc;

  public OrderRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public List<Order> newest(int limit) {
    return jdbc.sql("select id, customer, total_cents from orders order by placed_at desc limit :limit")
        .param("limit", limit).query(Order.class).list();
  }

  public Optional<Order> byId(UUID id) {
    return jdbc.sql("select id, customer, total_cents from orders where id = :id").param("id", id).query(Order.class).optional();
  }

  public int revenue() {
    return jdbc.sql("select coalesce(sum(total_cents), 0) from orders").query(Integer.class).single();
  }
}
`,
    'orders-api/pom.xml': module(
      'orders-api',
      'jar',
      `  <dependencies>
${dependency('com.example.orders', 'orders-core', '<version>${project.version}</version>')}${starter('web')}${starter('actuator')}${dependency(
        'org.springdoc',
        'springdoc-openapi-starter-webmvc-ui',
        '<version>2.8.14</version>',
      )}${dependency('org.postgresql', 'postgresql', '<scope>runtime</scope>')}  </dependencies>
  <build>
    <plugins>
${springBootPlugin}    </plugins>
  </build>
`,
    ),
    'orders-api/src/main/resources/application.yml': `spring:
  application:
    name: orders-api
  threads:
    virtual:
      enabled: true
  datasource:
    url: jdbc:postgresql://\${DB_HOST:localhost}:\${DB_PORT:5432}/\${DB_NAME:orders}
    username: \${DB_USERNAME:orders}
    password: \${DB_PASSWORD:orders}
  sql:
    init:
      mode: always
management:
  server:
    port: 9001
`,
    'orders-api/src/main/resources/schema.sql': `create table if not exists orders (
  id uuid primary key default gen_random_uuid(),
  customer text not null,
  total_cents int not null,
  placed_at timestamptz not null default now()
);
insert into orders (customer, total_cents)
  select 'Customer ' || n, n * 199 from generate_series(1, 100) n where not exists (select from orders);
`,
    'orders-api/src/main/java/com/example/orders/OrdersApplication.java': springApplication('com.example.orders', 'OrdersApplication'),
    'orders-api/src/main/java/com/example/orders/api/OrderController.java': `package com.example.orders.api;

import com.example.orders.core.Order;
import com.example.orders.core.OrderRepository;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/v1/orders")
public class OrderController {
  private final OrderRepository orders;

  public OrderController(OrderRepository orders) {
    this.orders = orders;
  }

  @GetMapping
  public List<Order> newest(@RequestParam(defaultValue = "20") int limit) {
    return orders.newest(limit);
  }

  @GetMapping("/{id}")
  public ResponseEntity<Order> byId(@PathVariable UUID id) {
    return ResponseEntity.of(orders.byId(id));
  }

  @GetMapping("/revenue")
  public Map<String, Integer> revenue() {
    return Map.of("cents", orders.revenue());
  }
}
`,
  },
  command: ['java', '-jar', 'orders-api/target/orders-api-1.4.0-SNAPSHOT.jar'],
  env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_NAME: '{name}', DB_USERNAME: '{user}', DB_PASSWORD: '{password}', ...newerJavaFirst() },
  pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
  routes: ['/api/v1/orders', '/api/v1/orders/revenue'],
};

/** Queries of GraphQL in front of tables. */
const graphql: FieldService = {
  ...springService,
  name: 'spring-graphql',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      dependencies: [springStarter('web'), springStarter('graphql'), springStarter('jdbc'), springDriver],
      plugins: springBootPlugin,
    }),
    'src/main/resources/application.properties': `spring.graphql.graphiql.enabled=true
spring.graphql.schema.printer.enabled=true
spring.sql.init.mode=always
spring.datasource.url=\${DB_URL}
spring.datasource.username=\${DB_USER}
spring.datasource.password=\${DB_PASS}
`,
    'src/main/resources/schema.sql': `create table if not exists author (id int primary key, name text);
create table if not exists book (id int primary key, name text, page_count int, author_id int);
insert into author select n, 'Author ' || n from generate_series(1, 10) n on conflict do nothing;
insert into book select n, 'Book ' || n, 100 + n, 1 + n % 10 from generate_series(1, 50) n on conflict do nothing;
`,
    'src/main/resources/graphql/schema.graphqls': `type Query {
  books(first: Int = 10): [Book!]!
  bookById(id: ID!): Book
}

type Book {
  id: ID!
  name: String!
  pageCount: Int!
  author: Author
}

type Author {
  id: ID!
  name: String!
}
`,
    'src/main/java/com/example/books/BooksApplication.java': springApplication('com.example.books', 'BooksApplication'),
    'src/main/java/com/example/books/BookController.java': `package com.example.books;

import java.util.List;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;

@Controller
public class BookController {
  public record Book(int id, String name, int pageCount, int authorId) {}

  public record Author(int id, String name) {}

  private final JdbcClient jdbc;

  public BookController(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @QueryMapping
  public List<Book> books(@Argument int first) {
    return jdbc.sql("select * from book order by id limit ?").param(first).query(Book.class).list();
  }

  @QueryMapping
  public Book bookById(@Argument int id) {
    return jdbc.sql("select * from book where id = ?").param(id).query(Book.class).optional().orElse(null);
  }

  @SchemaMapping
  public Author author(Book book) {
    return jdbc.sql("select * from author where id = ?").param(book.authorId()).query(Author.class).single();
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { DB_URL: 'jdbc:postgresql://{host}:{port}/{name}', DB_USER: '{user}', DB_PASS: '{password}' },
  pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
  routes: ['/graphql/schema'],
};

/** Routes of Apache Camel, which Spring Boot starts. */
const camel: FieldService = {
  ...springService,
  name: 'camel-spring-boot-rest',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      managed: ['org.apache.camel.springboot:camel-spring-boot-bom:4.14.0'],
      dependencies: [
        springStarter('web'),
        springStarter('jdbc'),
        'org.apache.camel.springboot:camel-spring-boot-starter',
        'org.apache.camel.springboot:camel-rest-starter',
        'org.apache.camel.springboot:camel-platform-http-starter',
        'org.apache.camel.springboot:camel-direct-starter',
        'org.apache.camel.springboot:camel-sql-starter',
        'org.apache.camel.springboot:camel-jackson-starter',
        springDriver,
      ],
      plugins: springBootPlugin,
    }),
    'src/main/resources/application.properties': `camel.springboot.name=Parcels
camel.main.run-controller=true
server.port=8080
spring.sql.init.mode=always
`,
    'src/main/resources/schema.sql': `create table if not exists parcels (id int primary key, destination text);
insert into parcels select n, 'Town ' || n from generate_series(1, 40) n on conflict do nothing;
`,
    'src/main/java/com/example/parcels/ParcelsApplication.java': springApplication('com.example.parcels', 'ParcelsApplication'),
    'src/main/java/com/example/parcels/ParcelRoutes.java': `package com.example.parcels;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.dataformat.JsonLibrary;
import org.springframework.stereotype.Component;

@Component
public class ParcelRoutes extends RouteBuilder {
  @Override
  public void configure() {
    restConfiguration().component("platform-http").contextPath("/api");

    rest("/parcels")
        .get().produces("application/json").to("direct:allParcels")
        .get("/{id}").produces("application/json").to("direct:oneParcel");

    from("direct:allParcels")
        .to("sql:select id, destination from parcels order by id")
        .marshal().json(JsonLibrary.Jackson);

    from("direct:oneParcel")
        .to("sql:select id, destination from parcels where id = cast(:#\${header.id} as int)?outputType=SelectOne")
        .marshal().json(JsonLibrary.Jackson);
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: {
    SPRING_DATASOURCE_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    SPRING_DATASOURCE_USERNAME: '{user}',
    SPRING_DATASOURCE_PASSWORD: '{password}',
  },
  pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
  routes: ['/api/parcels', '/api/parcels/3'],
};

/** Spring Boot with APIs that springdoc describes, GraphQL answers, or Camel routes. */
export const jvmSpringApiServices: readonly FieldService[] = [multiModule, graphql, camel];
