import type { FieldService } from '../fieldService.ts';
import { mavenPom } from './jvmPom.ts';
import { springApplication, springBoot3, springBootPlugin, springDriver, springService, springStarter } from './jvmSpringPom.ts';

/** Spring Data JDBC behind a context path, with tables that Flyway makes. */
const dataJdbc: FieldService = {
  ...springService,
  name: 'spring-data-jdbc-flyway',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      dependencies: [
        springStarter('web'),
        springStarter('data-jdbc'),
        springStarter('validation'),
        springStarter('actuator'),
        'org.flywaydb:flyway-core',
        'org.flywaydb:flyway-database-postgresql',
        springDriver,
      ],
      plugins: springBootPlugin,
    }),
    'src/main/resources/application.yml': `server:
  port: 8081
  servlet:
    context-path: /crm
spring:
  application:
    name: crm
  datasource:
    url: \${JDBC_DATABASE_URL:jdbc:postgresql://localhost:5432/crm}
    username: \${JDBC_DATABASE_USERNAME:crm}
    password: \${JDBC_DATABASE_PASSWORD:crm}
    hikari:
      maximum-pool-size: 12
`,
    'src/main/resources/db/migration/V1__create_customer.sql': `create table customer (
  id bigint generated always as identity primary key,
  name text not null,
  city text not null,
  created_at timestamptz not null default now()
);
create table purchase (
  id bigint generated always as identity primary key,
  customer bigint not null references customer (id),
  cents int not null
);
`,
    'src/main/resources/db/migration/V2__some_customers.sql': `insert into customer (name, city)
  select 'Customer ' || n, case when n % 2 = 0 then 'Berlin' else 'Oslo' end from generate_series(1, 30) n;
insert into purchase (customer, cents) select 1 + n % 30, n * 100 from generate_series(1, 90) n;
`,
    'src/main/java/com/example/crm/CrmApplication.java': springApplication('com.example.crm', 'CrmApplication'),
    'src/main/java/com/example/crm/customer/Customer.java': `package com.example.crm.customer;

import java.time.Instant;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.MappedCollection;

public record Customer(@Id Long id, String name, String city, Instant createdAt, @MappedCollection(idColumn = "customer") Set<Purchase> purchases) {}
`,
    'src/main/java/com/example/crm/customer/Purchase.java': `package com.example.crm.customer;

import org.springframework.data.annotation.Id;

public record Purchase(@Id Long id, int cents) {}
`,
    'src/main/java/com/example/crm/customer/CustomerRepository.java': `package com.example.crm.customer;

import java.util.List;
import org.springframework.data.repository.ListCrudRepository;

public interface CustomerRepository extends ListCrudRepository<Customer, Long> {
  List<Customer> findByCity(String city);
}
`,
    'src/main/java/com/example/crm/customer/CustomerController.java': `package com.example.crm.customer;

import java.util.List;
import java.util.Set;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/customers")
class CustomerController {
  private final CustomerRepository customers;

  CustomerController(CustomerRepository customers) {
    this.customers = customers;
  }

  @GetMapping
  List<Customer> findAll() {
    return customers.findAll();
  }

  @GetMapping("/search")
  List<Customer> search(@RequestParam String city) {
    return customers.findByCity(city);
  }

  @GetMapping("/{customerId}")
  Customer findOne(@PathVariable long customerId) {
    return customers.findById(customerId).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
  }

  @GetMapping("/{customerId}/purchases")
  Set<Purchase> purchases(@PathVariable long customerId) {
    return findOne(customerId).purchases();
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  Customer create(@RequestBody Customer customer) {
    return customers.save(customer);
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: {
    JDBC_DATABASE_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    JDBC_DATABASE_USERNAME: '{user}',
    JDBC_DATABASE_PASSWORD: '{password}',
  },
  pool: { setBy: 'SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE' },
  routes: ['/crm/customers', '/crm/customers/3', '/crm/customers/3/purchases', '/crm/customers/search?city=Oslo'],
};

/** Kotlin and JPA, as start.spring.io writes them: two controllers, pages, and a key that is a text. */
const kotlinJpa: FieldService = {
  ...springService,
  name: 'spring-kotlin-jpa',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      properties: { 'java.version': '17', 'kotlin.version': '1.9.25' },
      dependencies: [
        springStarter('web'),
        springStarter('data-jpa'),
        'com.fasterxml.jackson.module:jackson-module-kotlin',
        'org.jetbrains.kotlin:kotlin-reflect',
        'org.jetbrains.kotlin:kotlin-stdlib',
        springDriver,
      ],
      plugins: `${springBootPlugin}      <plugin><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId>
        <configuration>
          <args><arg>-Xjsr305=strict</arg></args>
          <compilerPlugins><plugin>spring</plugin><plugin>jpa</plugin></compilerPlugins>
        </configuration>
        <dependencies>
          <dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-allopen</artifactId>
            <version>\${kotlin.version}</version></dependency>
          <dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-noarg</artifactId>
            <version>\${kotlin.version}</version></dependency>
        </dependencies></plugin>
`,
    }).replace('<build>', '<build>\n    <sourceDirectory>${project.basedir}/src/main/kotlin</sourceDirectory>'),
    'src/main/resources/application.properties': `spring.application.name=library
spring.datasource.url=jdbc:postgresql://localhost:5432/library
spring.datasource.username=library
spring.datasource.password=library
spring.jpa.hibernate.ddl-auto=update
spring.jpa.defer-datasource-initialization=true
spring.sql.init.mode=always
`,
    'src/main/resources/data.sql': `insert into author (id, slug, name)
  select n, 'author-' || n, 'Author ' || n from generate_series(1, 10) n on conflict do nothing;
insert into book (id, title, author_id) select n, 'Book ' || n, 1 + n % 10 from generate_series(1, 200) n on conflict do nothing;
`,
    'src/main/kotlin/com/example/library/LibraryApplication.kt': `package com.example.library

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

@SpringBootApplication
class LibraryApplication

fun main(args: Array<String>) {
    runApplication<LibraryApplication>(*args)
}
`,
    'src/main/kotlin/com/example/library/Entities.kt': `package com.example.library

import jakarta.persistence.Column
import jakarta.persistence.Entity
import jakarta.persistence.FetchType
import jakarta.persistence.Id
import jakarta.persistence.ManyToOne

@Entity
class Author(@Id var id: Long, @Column(unique = true) var slug: String, var name: String)

@Entity
class Book(@Id var id: Long, var title: String, @ManyToOne(fetch = FetchType.EAGER) var author: Author)
`,
    'src/main/kotlin/com/example/library/Repositories.kt': `package com.example.library

import org.springframework.data.jpa.repository.JpaRepository

interface AuthorRepository : JpaRepository<Author, Long> {
    fun findBySlug(slug: String): Author?
}

interface BookRepository : JpaRepository<Book, Long> {
    fun findByAuthorSlug(slug: String): List<Book>
}
`,
    'src/main/kotlin/com/example/library/AuthorController.kt': `package com.example.library

import org.springframework.http.HttpStatus
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

@RestController
@RequestMapping("/api/authors")
class AuthorController(private val authors: AuthorRepository, private val books: BookRepository) {

    @GetMapping
    fun findAll() = authors.findAll()

    @GetMapping("/{slug}")
    fun findOne(@PathVariable slug: String) = authors.findBySlug(slug) ?: throw ResponseStatusException(HttpStatus.NOT_FOUND)

    @GetMapping("/{slug}/books")
    fun books(@PathVariable slug: String): List<Book> {
        findOne(slug)
        return books.findByAuthorSlug(slug)
    }
}
`,
    'src/main/kotlin/com/example/library/BookController.kt': `package com.example.library

import org.springframework.data.domain.Pageable
import org.springframework.http.HttpStatus
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

@RestController
@RequestMapping("/api/books")
class BookController(private val books: BookRepository) {

    @GetMapping
    fun page(pageable: Pageable) = books.findAll(pageable).content

    @GetMapping("/{id}")
    fun one(@PathVariable id: Long): Book = books.findById(id).orElseThrow { ResponseStatusException(HttpStatus.NOT_FOUND) }
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
  routes: ['/api/books', '/api/books/3', '/api/authors', '/api/authors/author-1', '/api/authors/author-1/books'],
};

/** Spring Boot with the repositories of Spring Data, in Java and in Kotlin. */
export const jvmSpringDataServices: readonly FieldService[] = [dataJdbc, kotlinJpa];
