import type { FieldService } from '../fieldService.ts';
import { hikari, mavenPackage, mavenPlugin, mavenPom, postgresDriver } from './jvmPom.ts';

const kotlin = '2.2.20';

const ktor: FieldService = {
  runtime: 'jvm',
  name: 'ktor-cio-exposed',
  build: mavenPackage,
  files: {
    'pom.xml': mavenPom({
      managed: ['io.ktor:ktor-bom:3.3.3'],
      dependencies: [
        'io.ktor:ktor-server-core-jvm',
        'io.ktor:ktor-server-cio-jvm',
        'io.ktor:ktor-server-content-negotiation-jvm',
        'io.ktor:ktor-serialization-kotlinx-json-jvm',
        `org.jetbrains.kotlin:kotlin-stdlib:${kotlin}`,
        'org.jetbrains.exposed:exposed-core:0.61.0',
        'org.jetbrains.exposed:exposed-jdbc:0.61.0',
        'ch.qos.logback:logback-classic:1.5.20',
        hikari,
        postgresDriver,
      ],
      plugins:
        mavenPlugin(
          `org.jetbrains.kotlin:kotlin-maven-plugin:${kotlin}`,
          `        <configuration><jvmTarget>17</jvmTarget><compilerPlugins><plugin>kotlinx-serialization</plugin></compilerPlugins></configuration>
        <executions><execution><id>compile</id><phase>compile</phase><goals><goal>compile</goal></goals></execution></executions>
        <dependencies><dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-serialization</artifactId><version>${kotlin}</version></dependency></dependencies>
`,
        ) +
        mavenPlugin(
          'org.apache.maven.plugins:maven-assembly-plugin:3.7.1',
          `        <configuration><descriptorRefs><descriptorRef>jar-with-dependencies</descriptorRef></descriptorRefs>
          <archive><manifest><addClasspath>true</addClasspath><mainClass>com.example.ApplicationKt</mainClass></manifest></archive></configuration>
        <executions><execution><id>assemble-all</id><phase>package</phase><goals><goal>single</goal></goals></execution></executions>
`,
        ),
    }).replace('<build>', '<build>\n    <sourceDirectory>src/main/kotlin</sourceDirectory>'),
    'src/main/resources/application.conf': `ktor {
  deployment {
    port = 8080
    port = \${?PORT}
  }
  application {
    modules = [ com.example.ApplicationKt.module ]
  }
}

storage {
  driverClassName = "org.postgresql.Driver"
  jdbcURL = \${JDBC_DATABASE_URL}
  user = \${JDBC_DATABASE_USERNAME}
  password = \${JDBC_DATABASE_PASSWORD}
  maximumPoolSize = 4
  maximumPoolSize = \${?JDBC_POOL_SIZE}
}
`,
    'src/main/resources/logback.xml': `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d{HH:mm:ss.SSS} %-5level %logger{36} - %msg%n</pattern></encoder></appender>
  <root level="INFO"><appender-ref ref="STDOUT"/></root>
</configuration>
`,
    'src/main/kotlin/com/example/Application.kt': `package com.example

import com.example.dao.CityDao
import com.example.dao.DatabaseSingleton
import com.example.plugins.configureRouting
import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation

fun main(args: Array<String>) = io.ktor.server.cio.EngineMain.main(args)

fun Application.module() {
    DatabaseSingleton.init(environment.config.config("storage"))
    install(ContentNegotiation) { json() }
    configureRouting(CityDao())
}
`,
    'src/main/kotlin/com/example/dao/DatabaseSingleton.kt': `package com.example.dao

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.ktor.server.config.ApplicationConfig
import kotlinx.coroutines.Dispatchers
import org.jetbrains.exposed.sql.Database
import org.jetbrains.exposed.sql.SchemaUtils
import org.jetbrains.exposed.sql.batchInsert
import org.jetbrains.exposed.sql.selectAll
import org.jetbrains.exposed.sql.transactions.experimental.newSuspendedTransaction
import org.jetbrains.exposed.sql.transactions.transaction

object DatabaseSingleton {
    fun init(config: ApplicationConfig) {
        val database = Database.connect(createHikariDataSource(config))
        transaction(database) {
            SchemaUtils.create(Cities)
            if (Cities.selectAll().empty()) {
                Cities.batchInsert(1..30) {
                    this[Cities.name] = "City $it"
                    this[Cities.population] = it * 1000
                }
            }
        }
    }

    private fun createHikariDataSource(config: ApplicationConfig) = HikariDataSource(HikariConfig().apply {
        driverClassName = config.property("driverClassName").getString()
        jdbcUrl = config.property("jdbcURL").getString()
        username = config.property("user").getString()
        password = config.property("password").getString()
        maximumPoolSize = config.property("maximumPoolSize").getString().toInt()
        isAutoCommit = false
        transactionIsolation = "TRANSACTION_REPEATABLE_READ"
        validate()
    })

    suspend fun <T> dbQuery(block: suspend () -> T): T = newSuspendedTransaction(Dispatchers.IO) { block() }
}
`,
    'src/main/kotlin/com/example/dao/CityDao.kt': `package com.example.dao

import com.example.dao.DatabaseSingleton.dbQuery
import kotlinx.serialization.Serializable
import org.jetbrains.exposed.sql.ResultRow
import org.jetbrains.exposed.sql.Table
import org.jetbrains.exposed.sql.selectAll

@Serializable
data class City(val id: Int, val name: String, val population: Int)

object Cities : Table("cities") {
    val id = integer("id").autoIncrement()
    val name = varchar("name", 128)
    val population = integer("population")
    override val primaryKey = PrimaryKey(id)
}

class CityDao {
    private fun toCity(row: ResultRow) = City(row[Cities.id], row[Cities.name], row[Cities.population])

    suspend fun all(): List<City> = dbQuery { Cities.selectAll().orderBy(Cities.id).limit(10).map(::toCity) }

    suspend fun byId(id: Int): City? = dbQuery { Cities.selectAll().where { Cities.id eq id }.map(::toCity).singleOrNull() }
}
`,
    'src/main/kotlin/com/example/plugins/Routing.kt': `package com.example.plugins

import com.example.dao.CityDao
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import io.ktor.server.routing.routing

fun Application.configureRouting(dao: CityDao) {
    routing {
        get("/") { call.respondText("Hello World!") }
        route("/cities") {
            get { call.respond(dao.all()) }
            get("{id}") {
                val id = call.parameters["id"]?.toIntOrNull() ?: return@get call.respond(HttpStatusCode.BadRequest)
                call.respond(dao.byId(id) ?: return@get call.respond(HttpStatusCode.NotFound))
            }
        }
    }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0-jar-with-dependencies.jar', '-port=8081'],
  env: {
    JDBC_DATABASE_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    JDBC_DATABASE_USERNAME: '{user}',
    JDBC_DATABASE_PASSWORD: '{password}',
  },
  usesPostgres: true,
  pool: { setBy: 'JDBC_POOL_SIZE' },
  routes: ['/', '/cities', '/cities/3'],
};

const vertx: FieldService = {
  runtime: 'jvm',
  name: 'vertx-launcher-config',
  build: mavenPackage,
  files: {
    'pom.xml': mavenPom({
      managed: ['io.vertx:vertx-stack-depchain:5.0.7'],
      dependencies: [
        'io.vertx:vertx-core',
        'io.vertx:vertx-config',
        'io.vertx:vertx-web',
        'io.vertx:vertx-pg-client',
        'io.vertx:vertx-launcher-application',
        'com.ongres.scram:scram-client:3.1',
      ],
      packing: 'one jar',
      mainClass: 'io.vertx.launcher.application.VertxApplication',
    }).replace(
      '</mainClass></transformer>',
      '</mainClass><manifestEntries><Main-Verticle>com.example.starter.MainVerticle</Main-Verticle></manifestEntries></transformer>',
    ),
    'conf/config.json': `{
  "http": { "host": "0.0.0.0", "port": 8888 },
  "DB_HOST": "localhost",
  "DB_PORT": 5432,
  "DB_POOL_SIZE": 6
}
`,
    'src/main/java/com/example/starter/MainVerticle.java': `package com.example.starter;

import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.config.ConfigStoreOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;

public class MainVerticle extends VerticleBase {

  @Override
  public Future<?> start() {
    ConfigStoreOptions file = new ConfigStoreOptions().setType("file").setFormat("json").setConfig(new JsonObject().put("path", "conf/config.json"));
    ConfigStoreOptions env = new ConfigStoreOptions().setType("env");
    ConfigRetrieverOptions options = new ConfigRetrieverOptions().addStore(file).addStore(env);
    return ConfigRetriever.create(vertx, options).getConfig()
      .compose(config -> vertx.deployVerticle(HttpVerticle.class, new DeploymentOptions().setConfig(config)));
  }
}
`,
    'src/main/java/com/example/starter/HttpVerticle.java': `package com.example.starter;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;

public class HttpVerticle extends VerticleBase {

  private Pool pool;

  @Override
  public Future<HttpServer> start() {
    PgConnectOptions connectOptions = new PgConnectOptions()
      .setHost(config().getString("DB_HOST"))
      .setPort(config().getInteger("DB_PORT"))
      .setDatabase(config().getString("DB_NAME"))
      .setUser(config().getString("DB_USER"))
      .setPassword(config().getValue("DB_PASSWORD").toString());
    PoolOptions poolOptions = new PoolOptions().setMaxSize(config().getInteger("DB_POOL_SIZE")).setShared(true).setName("airports");
    pool = PgBuilder.pool().with(poolOptions).connectingTo(connectOptions).using(vertx).build();

    Router router = Router.router(vertx);
    router.route().handler(BodyHandler.create());
    router.get("/health").handler(ctx -> ctx.json(new JsonObject().put("status", "UP")));
    router.get("/api/airports").handler(this::list);
    router.get("/api/airports/:id").handler(this::get);

    JsonObject http = config().getJsonObject("http");
    return pool.query("create table if not exists airports (id int primary key, code text)").execute()
      .compose(done -> pool.query("insert into airports select n, 'AP' || n from generate_series(1, 40) n on conflict do nothing").execute())
      .compose(done -> vertx.createHttpServer().requestHandler(router).listen(http.getInteger("port"), http.getString("host")));
  }

  private void list(RoutingContext ctx) {
    pool.query("select id, code from airports order by id limit 20").execute().onComplete(rows -> {
      JsonArray all = new JsonArray();
      rows.forEach((Row row) -> all.add(row.toJson()));
      ctx.json(all);
    }, ctx::fail);
  }

  private void get(RoutingContext ctx) {
    pool.preparedQuery("select id, code from airports where id = $1").execute(Tuple.of(Integer.valueOf(ctx.pathParam("id")))).onComplete(rows -> {
      if (rows.size() == 0) ctx.fail(404);
      else ctx.json(rows.iterator().next().toJson());
    }, ctx::fail);
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { DB_HOST: '{host}', DB_PORT: '{port}', DB_NAME: '{name}', DB_USER: '{user}', DB_PASSWORD: '{password}' },
  usesPostgres: true,
  pool: { setBy: 'DB_POOL_SIZE' },
  routes: ['/health', '/api/airports', '/api/airports/3'],
};

const jersey: FieldService = {
  runtime: 'jvm',
  name: 'jersey-grizzly',
  build: mavenPackage,
  files: {
    'pom.xml': mavenPom({
      managed: ['org.glassfish.jersey:jersey-bom:4.0.2'],
      dependencies: [
        'org.glassfish.jersey.containers:jersey-container-grizzly2-http',
        'org.glassfish.jersey.inject:jersey-hk2',
        'org.glassfish.jersey.media:jersey-media-json-binding',
      ],
      plugins: mavenPlugin(
        'org.codehaus.mojo:exec-maven-plugin:3.5.0',
        '        <executions><execution><goals><goal>java</goal></goals></execution></executions>\n        <configuration><mainClass>com.example.Main</mainClass></configuration>\n',
      ),
    }),
    'src/main/java/com/example/Main.java': `package com.example;

import java.io.IOException;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

public class Main {
    // Base URI the Grizzly HTTP server will listen on
    public static final String BASE_URI = "http://localhost:8080/myapp/";

    public static HttpServer startServer() {
        final ResourceConfig rc = new ResourceConfig().packages("com.example");
        return GrizzlyHttpServerFactory.createHttpServer(URI.create(BASE_URI), rc);
    }

    public static void main(String[] args) throws IOException {
        final HttpServer server = startServer();
        System.out.println(String.format("Jersey app started with endpoints available at %s%nHit Ctrl-C to stop it...", BASE_URI));
        System.in.read();
        server.shutdownNow();
    }
}
`,
    'src/main/java/com/example/MyResource.java': `package com.example;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

@Path("myresource")
public class MyResource {
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String getIt() {
        return "Got it!";
    }
}
`,
    'src/main/java/com/example/StationResource.java': `package com.example;

import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.stream.IntStream;

@Path("stations")
@Produces(MediaType.APPLICATION_JSON)
public class StationResource {
    public static class Station {
        public int id;
        public String name;
    }

    private static Station station(int id) {
        Station station = new Station();
        station.id = id;
        station.name = "Station " + id;
        return station;
    }

    @GET
    public List<Station> list(@QueryParam("limit") @DefaultValue("10") int limit) {
        return IntStream.rangeClosed(1, limit).mapToObj(StationResource::station).toList();
    }

    @GET
    @Path("{id: [0-9]+}")
    public Station get(@PathParam("id") int id) {
        if (id < 1 || id > 500) throw new NotFoundException();
        return station(id);
    }
}
`,
  },
  command: ['mvn', 'exec:java'],
  env: {},
  usesPostgres: false,
  pool: null,
  routes: ['/myapp/myresource', '/myapp/stations', '/myapp/stations/3'],
};

/** Projects as the starters of frameworks without Spring lay them out. */
export const jvmStarterServices: readonly FieldService[] = [ktor, vertx, jersey];
