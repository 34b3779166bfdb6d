import type { FieldService } from '../fieldService.ts';
import { hikari, itemsClass, mavenPackage, mavenPom, postgresDriver, quiet } from './jvmPom.ts';

const jvm = { runtime: 'jvm', build: mavenPackage, usesPostgres: true } as const;
const items = { 'src/main/java/shop/Items.java': itemsClass } as const;

/** Quarkus, Micronaut and the like: what they read from the environment they read by rule. */
export const jvmFrameworkServices: readonly FieldService[] = [
  {
    ...jvm,
    name: 'quarkus-agroal',
    files: {
      ...items,
      'pom.xml': quarkusPom(['io.quarkus:quarkus-rest', 'io.quarkus:quarkus-jdbc-postgresql', 'io.quarkus:quarkus-agroal']),
      'src/main/resources/application.properties': 'quarkus.datasource.db-kind=postgresql\nquarkus.datasource.devservices.enabled=false\n',
      'src/main/java/shop/ItemsResource.java': `package shop;

import io.agroal.api.AgroalDataSource;
import jakarta.inject.Inject;
import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;

@Path("/items")
@Produces(MediaType.APPLICATION_JSON)
public class ItemsResource {
  private final Items items;

  @Inject
  ItemsResource(AgroalDataSource source) throws SQLException {
    items = new Items(source);
  }

  @GET
  public String all() {
    return items.all();
  }

  @GET
  @Path("{id}")
  public String one(@PathParam("id") int id) {
    return items.one(id);
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
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'quarkus-reactive-pg',
    files: {
      'pom.xml': quarkusPom(['io.quarkus:quarkus-rest', 'io.quarkus:quarkus-reactive-pg-client']),
      'src/main/resources/application.properties': 'quarkus.datasource.db-kind=postgresql\nquarkus.datasource.devservices.enabled=false\n',
      'src/main/java/shop/NumbersResource.java': `package shop;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import jakarta.ws.rs.*;

@Path("/numbers")
public class NumbersResource {
  @Inject Pool pool;

  @GET
  public Uni<String> all() {
    return pool.query("select count(*) as n from generate_series(1, 50)").execute().map(rows -> "" + rows.iterator().next().getLong("n"));
  }
}
`,
    },
    command: ['java', '-jar', 'target/quarkus-app/quarkus-run.jar'],
    env: {
      QUARKUS_DATASOURCE_REACTIVE_URL: 'postgresql://{host}:{port}/{name}',
      QUARKUS_DATASOURCE_USERNAME: '{user}',
      QUARKUS_DATASOURCE_PASSWORD: '{password}',
    },
    pool: { setBy: 'QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE' },
    routes: ['/numbers'],
  },
  {
    ...jvm,
    name: 'micronaut-hikari',
    files: {
      ...items,
      'pom.xml': mavenPom({
        parent: 'io.micronaut.platform:micronaut-parent:4.10.8',
        packing: 'one jar',
        properties: {
          packaging: 'jar',
          'jdk.version': '17',
          'release.version': '17',
          'micronaut.version': '4.10.8',
          'exec.mainClass': 'shop.Main',
        },
        dependencies: [
          'io.micronaut:micronaut-http-server-netty',
          'io.micronaut.serde:micronaut-serde-jackson',
          'io.micronaut.sql:micronaut-jdbc-hikari',
          'org.postgresql:postgresql',
          'org.yaml:snakeyaml',
          'ch.qos.logback:logback-classic',
        ],
        plugins: `      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><configuration><annotationProcessorPaths combine.self="override">
        <path><groupId>io.micronaut</groupId><artifactId>micronaut-inject-java</artifactId><version>\${micronaut.core.version}</version></path>
      </annotationProcessorPaths></configuration></plugin>
`,
      }).replace('<version>1.0.0</version>\n', '<version>1.0.0</version>\n  <packaging>${packaging}</packaging>\n'),
      'src/main/resources/application.yml':
        'micronaut:\n  application:\n    name: shop\ndatasources:\n  default:\n    driver-class-name: org.postgresql.Driver\n',
      'src/main/java/shop/Main.java': `package shop;

import io.micronaut.runtime.Micronaut;

public class Main {
  public static void main(String[] args) {
    Micronaut.run(Main.class, args);
  }
}
`,
      'src/main/java/shop/ItemsController.java': `package shop;

import io.micronaut.http.annotation.*;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.SQLException;
import javax.sql.DataSource;

@Controller("/items")
@ExecuteOn(TaskExecutors.BLOCKING)
public class ItemsController {
  private final Items items;

  ItemsController(DataSource source) throws SQLException {
    items = new Items(source);
  }

  @Get
  String all() {
    return items.all();
  }

  @Get("/{id}")
  String one(int id) {
    return items.one(id);
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: {
      DATASOURCES_DEFAULT_URL: 'jdbc:postgresql://{host}:{port}/{name}',
      DATASOURCES_DEFAULT_USERNAME: '{user}',
      DATASOURCES_DEFAULT_PASSWORD: '{password}',
    },
    pool: { setBy: 'DATASOURCES_DEFAULT_MAXIMUM_POOL_SIZE' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'ktor-netty',
    files: {
      ...items,
      'pom.xml': mavenPom({
        managed: ['io.ktor:ktor-bom:3.3.3'],
        dependencies: [
          'io.ktor:ktor-server-core-jvm',
          'io.ktor:ktor-server-netty-jvm',
          'org.jetbrains.kotlin:kotlin-stdlib:2.2.20',
          hikari,
          postgresDriver,
          quiet,
        ],
        packing: 'one jar',
        mainClass: 'io.ktor.server.netty.EngineMain',
        plugins: `      <plugin><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>2.2.20</version>
        <configuration><jvmTarget>17</jvmTarget></configuration>
        <executions><execution><id>compile</id><phase>process-sources</phase><goals><goal>compile</goal></goals><configuration><sourceDirs><sourceDir>src/main/kotlin</sourceDir><sourceDir>src/main/java</sourceDir></sourceDirs></configuration></execution></executions></plugin>
`,
      }),
      'src/main/resources/application.conf':
        'ktor {\n  deployment {\n    port = 8088\n    port = ${?KTOR_PORT}\n  }\n  application {\n    modules = [ shop.AppKt.module ]\n  }\n}\ndb {\n  url = ${DB_URL}\n  user = ${DB_USER}\n  password = ${DB_PASS}\n  pool = 5\n  pool = ${?DB_POOL}\n}\n',
      'src/main/kotlin/shop/App.kt': `package shop

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.ktor.server.application.*
import io.ktor.server.response.*
import io.ktor.server.routing.*

fun Application.module() {
  val db = environment.config.config("db")
  val settings = HikariConfig().apply {
    jdbcUrl = db.property("url").getString()
    username = db.property("user").getString()
    password = db.property("password").getString()
    maximumPoolSize = db.property("pool").getString().toInt()
  }
  val items = Items(HikariDataSource(settings))
  routing {
    get("/items") { call.respondText(items.all()) }
    get("/items/{id}") { call.respondText(items.one(call.parameters["id"]!!.toInt())) }
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { DB_URL: 'jdbc:postgresql://{host}:{port}/{name}', DB_USER: '{user}', DB_PASS: '{password}' },
    pool: { setBy: 'DB_POOL' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'dropwizard',
    files: {
      ...items,
      'pom.xml': mavenPom({
        managed: ['io.dropwizard:dropwizard-dependencies:5.0.1'],
        dependencies: ['io.dropwizard:dropwizard-core', 'io.dropwizard:dropwizard-db', postgresDriver],
        packing: 'one jar',
      }),
      'config.yml':
        'server:\n  applicationConnectors:\n    - type: http\n      port: ${HTTP_PORT:-8085}\n  adminConnectors: []\ndatabase:\n  driverClass: org.postgresql.Driver\n  url: ${DB_JDBC}\n  user: ${DB_LOGIN}\n  password: ${DB_SECRET}\n  maxSize: ${DB_CONNECTIONS:-6}\n  minSize: 2\n  initialSize: 2\n',
      'src/main/java/shop/Main.java': `package shop;

import io.dropwizard.configuration.*;
import io.dropwizard.core.*;
import io.dropwizard.core.setup.*;
import io.dropwizard.db.DataSourceFactory;

public class Main extends Application<Main.Settings> {
  public static class Settings extends Configuration {
    public DataSourceFactory database = new DataSourceFactory();
  }

  public static void main(String[] args) throws Exception {
    new Main().run(args);
  }

  @Override
  public void initialize(Bootstrap<Settings> bootstrap) {
    bootstrap.setConfigurationSourceProvider(
        new SubstitutingSourceProvider(bootstrap.getConfigurationSourceProvider(), new EnvironmentVariableSubstitutor(false)));
  }

  @Override
  public void run(Settings settings, Environment environment) throws Exception {
    environment.jersey().register(new ItemsResource(new Items(settings.database.build(environment.metrics(), "shop"))));
  }
}
`,
      'src/main/java/shop/ItemsResource.java': `package shop;

import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;

@Path("/items")
@Produces(MediaType.APPLICATION_JSON)
public class ItemsResource {
  private final Items items;

  ItemsResource(Items items) {
    this.items = items;
  }

  @GET
  public String all() {
    return items.all();
  }

  @GET
  @Path("{id}")
  public String one(@PathParam("id") int id) {
    return items.one(id);
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar', 'server', 'config.yml'],
    env: { DB_JDBC: 'jdbc:postgresql://{host}:{port}/{name}', DB_LOGIN: '{user}', DB_SECRET: '{password}' },
    pool: { setBy: 'DB_CONNECTIONS' },
    routes: ['/items', '/items/3'],
  },
  {
    ...jvm,
    name: 'vertx-pg',
    files: {
      'pom.xml': mavenPom({
        managed: ['io.vertx:vertx-stack-depchain:5.0.7'],
        dependencies: ['io.vertx:vertx-web', 'io.vertx:vertx-pg-client', 'com.ongres.scram:scram-client:3.1'],
        packing: 'one jar',
      }),
      'src/main/java/shop/Main.java': `package shop;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.*;

public class Main {
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    int size = Integer.parseInt(System.getenv().getOrDefault("VERTX_POOL", "4"));
    Pool pool = PgBuilder.pool().with(new PoolOptions().setMaxSize(size)).connectingTo(PgConnectOptions.fromUri(System.getenv("PG_ADDRESS"))).using(vertx).build();
    Router router = Router.router(vertx);
    router.get("/count").handler(ctx -> pool.query("select count(*) as n from generate_series(1, 50)").execute()
        .onSuccess(rows -> ctx.response().end("" + rows.iterator().next().getLong("n"))).onFailure(ctx::fail));
    router.get("/double/:n").handler(ctx -> pool.preparedQuery("select $1::int * 2 as n").execute(Tuple.of(Integer.parseInt(ctx.pathParam("n"))))
        .onSuccess(rows -> ctx.response().end("" + rows.iterator().next().getInteger("n"))).onFailure(ctx::fail));
    vertx.createHttpServer().requestHandler(router).listen(Integer.parseInt(System.getenv().getOrDefault("LISTEN_ON", "8081")));
  }
}
`,
    },
    command: ['java', '-jar', 'target/shop-1.0.0.jar'],
    env: { PG_ADDRESS: 'postgresql://{user}:{password}@{host}:{port}/{name}' },
    pool: { setBy: 'VERTX_POOL' },
    routes: ['/count', '/double/3'],
  },
  {
    runtime: 'jvm',
    name: 'keycloak',
    build: [
      ['mvn', '-B', '-q', 'generate-resources'],
      ['sh', '-c', 'mv unpacked/keycloak-*/* . && rmdir unpacked/keycloak-* && chmod +x bin/*.sh'],
    ],
    files: {
      'pom.xml': mavenPom({
        dependencies: [],
        plugins: `      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
        <executions><execution><phase>generate-resources</phase><goals><goal>unpack</goal></goals><configuration>
          <outputDirectory>unpacked</outputDirectory>
          <artifactItems><artifactItem><groupId>org.keycloak</groupId><artifactId>keycloak-quarkus-dist</artifactId><version>26.0.7</version><type>zip</type></artifactItem></artifactItems>
        </configuration></execution></executions></plugin>
`,
      }).replace('<version>1.0.0</version>\n', '<version>1.0.0</version>\n  <packaging>pom</packaging>\n'),
    },
    command: ['bin/kc.sh', 'start-dev'],
    env: { KC_DB: 'postgres', KC_DB_URL: 'jdbc:postgresql://{host}:{port}/{name}', KC_DB_USERNAME: '{user}', KC_DB_PASSWORD: '{password}' },
    usesPostgres: true,
    pool: { setBy: 'KC_DB_POOL_MAX_SIZE' },
    routes: ['/realms/master'],
  },
];

function quarkusPom(dependencies: readonly string[]): string {
  return mavenPom({
    managed: ['io.quarkus:quarkus-bom:3.33.2'],
    dependencies: [...dependencies, 'io.quarkus:quarkus-arc'],
    plugins: `      <plugin><groupId>io.quarkus</groupId><artifactId>quarkus-maven-plugin</artifactId><version>3.33.2</version><extensions>true</extensions>
        <executions><execution><goals><goal>build</goal><goal>generate-code</goal></goals></execution></executions></plugin>
`,
  });
}
