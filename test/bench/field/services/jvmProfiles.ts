import type { FieldService } from '../fieldService.ts';
import { mavenPackage, mavenPlugin, mavenPom } from './jvmPom.ts';
import { springApplication, springBoot3, springBootPlugin, springDriver, springService, springStarter } from './jvmSpringPom.ts';

/** Copies a jar that others made into the folder `target`. */
const copied = (group: string, artifact: string, version: string, more: string, name: string): string =>
  mavenPom({
    dependencies: [],
    plugins: mavenPlugin(
      'org.apache.maven.plugins:maven-dependency-plugin:3.8.1',
      `        <executions><execution><phase>package</phase><goals><goal>copy</goal></goals><configuration>
          <outputDirectory>target</outputDirectory>
          <artifactItems><artifactItem><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${more}<destFileName>${name}</destFileName></artifactItem></artifactItems>
        </configuration></execution></executions>
`,
    ),
  }).replace('<version>1.0.0</version>\n', '<version>1.0.0</version>\n  <packaging>pom</packaging>\n');

const mybatis: FieldService = {
  ...springService,
  name: 'spring-mybatis-druid',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      dependencies: [
        springStarter('web'),
        springStarter('validation'),
        'org.mybatis.spring.boot:mybatis-spring-boot-starter:3.0.5',
        'com.alibaba:druid-spring-boot-3-starter:1.2.27',
        springDriver,
      ],
      plugins: springBootPlugin,
    }),
    'src/main/resources/application.yml': `server:
  port: 8090
  servlet:
    context-path: /shop-api
spring:
  application:
    name: shop-admin
  profiles:
    active: dev
mybatis:
  mapper-locations: classpath:mapper/*.xml
  type-aliases-package: shop.domain
  configuration:
    map-underscore-to-camel-case: true
`,
    'src/main/resources/application-dev.yml': `spring:
  sql:
    init:
      mode: always
  datasource:
    type: com.alibaba.druid.pool.DruidDataSource
    driver-class-name: org.postgresql.Driver
    druid:
      url: jdbc:postgresql://\${SHOP_PG_HOST:localhost}:\${SHOP_PG_PORT:5432}/\${SHOP_PG_DB:shop}
      username: \${SHOP_PG_USER:shop}
      password: \${SHOP_PG_PASS:shop}
      initial-size: 2
      min-idle: 2
      max-active: 8
      max-wait: 60000
      validation-query: SELECT 1
      test-while-idle: true
      stat-view-servlet:
        enabled: false
`,
    'src/main/resources/application-prod.yml': `spring:
  datasource:
    druid:
      max-active: 40
`,
    'src/main/resources/schema.sql': `create table if not exists shop_order (order_id bigint primary key, customer_name varchar(64) not null, order_state varchar(16) not null);
insert into shop_order select n, 'customer ' || n, 'PAID' from generate_series(1, 50) n on conflict do nothing;
`,
    'src/main/resources/mapper/OrderMapper.xml': `<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE mapper PUBLIC "-//mybatis.org//DTD Mapper 3.0//EN" "http://mybatis.org/dtd/mybatis-3-mapper.dtd">
<mapper namespace="shop.mapper.OrderMapper">
  <sql id="columns">order_id, customer_name, order_state</sql>
  <select id="selectList" resultType="Order">
    select <include refid="columns"/> from shop_order
    <where>
      <if test="state != null and state != ''">and order_state = #{state}</if>
    </where>
    order by order_id limit #{size} offset #{offset}
  </select>
  <select id="selectById" parameterType="long" resultType="Order">
    select <include refid="columns"/> from shop_order where order_id = #{orderId}
  </select>
</mapper>
`,
    'src/main/java/shop/ShopApplication.java': springApplication('shop', 'ShopApplication'),
    'src/main/java/shop/domain/Order.java': `package shop.domain;

public class Order {
  private Long orderId;
  private String customerName;
  private String orderState;

  public Long getOrderId() {
    return orderId;
  }

  public void setOrderId(Long orderId) {
    this.orderId = orderId;
  }

  public String getCustomerName() {
    return customerName;
  }

  public void setCustomerName(String customerName) {
    this.customerName = customerName;
  }

  public String getOrderState() {
    return orderState;
  }

  public void setOrderState(String orderState) {
    this.orderState = orderState;
  }
}
`,
    'src/main/java/shop/mapper/OrderMapper.java': `package shop.mapper;

import java.util.List;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import shop.domain.Order;

@Mapper
public interface OrderMapper {
  List<Order> selectList(@Param("state") String state, @Param("size") int size, @Param("offset") int offset);

  Order selectById(Long orderId);
}
`,
    'src/main/java/shop/service/OrderService.java': `package shop.service;

import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import shop.domain.Order;
import shop.mapper.OrderMapper;

@Service
@Transactional(readOnly = true)
public class OrderService {
  private final OrderMapper orderMapper;

  public OrderService(OrderMapper orderMapper) {
    this.orderMapper = orderMapper;
  }

  public List<Order> list(String state, int page, int size) {
    return orderMapper.selectList(state, size, (page - 1) * size);
  }

  public Order get(Long orderId) {
    return orderMapper.selectById(orderId);
  }
}
`,
    'src/main/java/shop/controller/OrderController.java': `package shop.controller;

import java.util.List;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import shop.domain.Order;
import shop.service.OrderService;

@RestController
@RequestMapping("/order")
public class OrderController {
  @Autowired private OrderService orderService;

  @GetMapping("/list")
  public List<Order> list(
      @RequestParam(value = "state", required = false) String state,
      @RequestParam(value = "pageNum", defaultValue = "1") int pageNum,
      @RequestParam(value = "pageSize", defaultValue = "10") int pageSize) {
    return orderService.list(state, pageNum, pageSize);
  }

  @GetMapping("/{orderId}")
  public ResponseEntity<Order> getInfo(@PathVariable("orderId") Long orderId) {
    return ResponseEntity.ofNullable(orderService.get(orderId));
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { SHOP_PG_HOST: '{host}', SHOP_PG_PORT: '{port}', SHOP_PG_DB: '{name}', SHOP_PG_USER: '{user}', SHOP_PG_PASS: '{password}' },
  pool: { setBy: 'SPRING_DATASOURCE_DRUID_MAX_ACTIVE' },
  routes: ['/shop-api/order/list', '/shop-api/order/3'],
};

/** The database of which the classes of tables are generated is made of the statements that Liquibase runs. */
const jooqCodegen = mavenPlugin(
  'org.jooq:jooq-codegen-maven',
  `        <executions><execution><id>generate-jooq</id><phase>generate-sources</phase><goals><goal>generate</goal></goals></execution></executions>
        <configuration><generator>
          <database><name>org.jooq.meta.extensions.ddl.DDLDatabase</name><properties>
            <property><key>scripts</key><value>src/main/resources/db/changelog/changes/*.sql</value></property>
            <property><key>sort</key><value>semantic</value></property>
            <property><key>defaultNameCase</key><value>lower</value></property>
          </properties></database>
          <target><packageName>library.jooq</packageName><directory>target/generated-sources/jooq</directory></target>
        </generator></configuration>
        <dependencies><dependency><groupId>org.jooq</groupId><artifactId>jooq-meta-extensions</artifactId><version>\${jooq.version}</version></dependency></dependencies>
`,
);

const jooq: FieldService = {
  ...springService,
  name: 'spring-jooq-liquibase',
  files: {
    'pom.xml': mavenPom({
      parent: springBoot3,
      properties: { 'jooq.version': '3.19.39', 'liquibase.version': '4.33.0' },
      dependencies: [springStarter('web'), springStarter('jooq'), springStarter('actuator'), 'org.liquibase:liquibase-core', springDriver],
      plugins: jooqCodegen + springBootPlugin,
    }),
    'src/main/resources/application.yml': `spring:
  application:
    name: library
  jooq:
    sql-dialect: POSTGRES
  liquibase:
    change-log: classpath:db/changelog/db.changelog-master.yaml
server:
  port: 8082
  compression:
    enabled: true
management:
  endpoints:
    web:
      base-path: /manage
      exposure:
        include: health,info
`,
    'src/main/resources/application-dev.yml': `spring:
  datasource:
    url: \${LIBRARY_JDBC_URL:jdbc:postgresql://localhost:5432/library}
    username: \${LIBRARY_JDBC_USER:library}
    password: \${LIBRARY_JDBC_PASSWORD:library}
    hikari:
      pool-name: library
      maximum-pool-size: \${LIBRARY_POOL:6}
      minimum-idle: 1
`,
    'src/main/resources/application-prod.yml': `spring:
  config:
    import: optional:configtree:/run/secrets/
server:
  shutdown: graceful
`,
    'src/main/resources/db/changelog/db.changelog-master.yaml': `databaseChangeLog:
  - includeAll:
      path: changes/
      relativeToChangelogFile: true
`,
    'src/main/resources/db/changelog/changes/001-authors-and-books.sql': `--liquibase formatted sql

--changeset library:1
create table author (
  id bigint primary key,
  last_name varchar(80) not null
);

--changeset library:2
create table book (
  id bigint primary key,
  author_id bigint not null references author (id),
  title varchar(200) not null
);
`,
    'src/main/resources/db/changelog/changes/002-example-data.sql': `--liquibase formatted sql

--changeset library:3 context:"!prod"
-- [jooq ignore start]
insert into author select n, 'Author ' || n from generate_series(1, 10) n;
insert into book select n, n % 10 + 1, 'Book ' || n from generate_series(1, 60) n;
-- [jooq ignore stop]
`,
    'src/main/java/library/LibraryApplication.java': springApplication('library', 'LibraryApplication'),
    'src/main/java/library/book/BookView.java': `package library.book;

public record BookView(Long id, String title, String author) {}
`,
    'src/main/java/library/book/BookRepository.java': `package library.book;

import static library.jooq.Tables.AUTHOR;
import static library.jooq.Tables.BOOK;

import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Records;
import org.springframework.stereotype.Repository;

@Repository
class BookRepository {
  private final DSLContext dsl;

  BookRepository(DSLContext dsl) {
    this.dsl = dsl;
  }

  List<BookView> findAll(int limit) {
    return dsl.select(BOOK.ID, BOOK.TITLE, AUTHOR.LAST_NAME)
        .from(BOOK)
        .join(AUTHOR).on(AUTHOR.ID.eq(BOOK.AUTHOR_ID))
        .orderBy(BOOK.ID)
        .limit(limit)
        .fetch(Records.mapping(BookView::new));
  }

  Optional<BookView> findById(long id) {
    return dsl.select(BOOK.ID, BOOK.TITLE, AUTHOR.LAST_NAME)
        .from(BOOK)
        .join(AUTHOR).on(AUTHOR.ID.eq(BOOK.AUTHOR_ID))
        .where(BOOK.ID.eq(id))
        .fetchOptional(Records.mapping(BookView::new));
  }
}
`,
    'src/main/java/library/book/BookController.java': `package library.book;

import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping(path = BookController.PATH)
class BookController {
  static final String PATH = "/api/v1/books";

  private final BookRepository books;

  BookController(BookRepository books) {
    this.books = books;
  }

  @GetMapping
  List<BookView> list(@RequestParam(name = "limit", defaultValue = "20") int limit) {
    return books.findAll(limit);
  }

  @GetMapping("/{id}")
  ResponseEntity<BookView> get(@PathVariable("id") long id) {
    return ResponseEntity.of(books.findById(id));
  }
}
`,
  },
  command: ['mvn', 'spring-boot:run', '-Dspring-boot.run.profiles=dev'],
  env: {
    LIBRARY_JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    LIBRARY_JDBC_USER: '{user}',
    LIBRARY_JDBC_PASSWORD: '{password}',
  },
  pool: { setBy: 'LIBRARY_POOL' },
  routes: ['/api/v1/books', '/api/v1/books/3', '/manage/health'],
};

const stub = (url: string, body: string): string => `{
  "request": { "method": "GET", ${url} },
  "response": {
    "status": 200,
    "headers": { "Content-Type": "application/json" },
    ${body}
  }
}
`;

const wiremock: FieldService = {
  runtime: 'jvm',
  name: 'wiremock-standalone',
  build: mavenPackage,
  files: {
    'pom.xml': copied('org.wiremock', 'wiremock-standalone', '3.13.2', '', 'wiremock-standalone.jar'),
    'stubs/mappings/parcels.json': stub('"urlPath": "/parcels"', '"bodyFileName": "parcels.json"'),
    'stubs/mappings/parcel.json': stub(
      '"urlPathTemplate": "/parcels/{parcelId}"',
      `"transformers": ["response-template"],
    "jsonBody": { "id": "{{request.path.parcelId}}", "state": "delivered", "seen": "{{now format='yyyy-MM-dd'}}" }`,
    ),
    'stubs/__files/parcels.json': '[{ "id": "A1", "state": "delivered" }, { "id": "A2", "state": "on its way" }]\n',
  },
  command: ['java', '-jar', 'target/wiremock-standalone.jar', '--port', '8089', '--root-dir', 'stubs'],
  env: {},
  usesPostgres: false,
  pool: null,
  routes: ['/parcels', '/parcels/A1', '/__admin/mappings'],
};

/** Projects of Spring Boot with profiles, and a product that is started by its jar. */
export const jvmProfileServices: readonly FieldService[] = [mybatis, jooq, wiremock];
