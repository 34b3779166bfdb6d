import type { FieldService } from '../fieldService.ts';
import { hikari, mavenPackage, mavenPom, postgresDriver, quiet } from './jvmPom.ts';

const jvm = { runtime: 'jvm', usesPostgres: true, build: mavenPackage } as const;

const armeria: FieldService = {
  ...jvm,
  name: 'armeria-annotated',
  files: {
    'pom.xml': mavenPom({
      managed: ['com.linecorp.armeria:armeria-bom:1.34.2'],
      dependencies: ['com.linecorp.armeria:armeria', hikari, postgresDriver, 'ch.qos.logback:logback-classic:1.5.18'],
      packing: 'one jar',
      mainClass: 'com.example.todo.Main',
    }),
    'src/main/java/com/example/todo/Main.java': `package com.example.todo;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.docs.DocService;
import com.linecorp.armeria.server.healthcheck.HealthCheckService;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

public final class Main {
  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(System.getenv("JDBC_URL"));
    config.setUsername(System.getenv("JDBC_USER"));
    config.setPassword(System.getenv("JDBC_PASSWORD"));
    Server server = newServer(8080, new TodoRepository(new HikariDataSource(config)));
    server.closeOnJvmShutdown();
    server.start().join();
  }

  static Server newServer(int port, TodoRepository todos) {
    return Server.builder()
        .http(port)
        .annotatedService("/api", new TodoService(todos))
        .serviceUnder("/docs", new DocService())
        .service("/internal/healthcheck", HealthCheckService.of())
        .build();
  }
}
`,
    'src/main/java/com/example/todo/Todo.java': `package com.example.todo;

public record Todo(int id, String text, boolean done) {}
`,
    'src/main/java/com/example/todo/TodoRepository.java': `package com.example.todo;

import java.sql.*;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

public final class TodoRepository {
  private final DataSource source;

  public TodoRepository(DataSource source) throws SQLException {
    this.source = source;
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists todos (id int primary key, text text, done boolean)");
      statement.execute("insert into todos select n, 'Todo ' || n, n % 3 = 0 from generate_series(1, 30) n on conflict do nothing");
    }
  }

  public List<Todo> where(String condition, Object... values) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement("select id, text, done from todos where " + condition)) {
      for (int at = 0; at < values.length; at += 1) statement.setObject(at + 1, values[at]);
      List<Todo> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) found.add(new Todo(rows.getInt(1), rows.getString(2), rows.getBoolean(3)));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
`,
    'src/main/java/com/example/todo/TodoService.java': `package com.example.todo;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.annotation.*;
import java.util.List;

@Blocking
@ProducesJson
public final class TodoService {
  private final TodoRepository todos;

  public TodoService(TodoRepository todos) {
    this.todos = todos;
  }

  @Get("/todos")
  public List<Todo> list() {
    return todos.where("true");
  }

  @Get("/todos/:id")
  public HttpResponse one(@Param int id) {
    List<Todo> found = todos.where("id = ?", id);
    return found.isEmpty() ? HttpResponse.of(HttpStatus.NOT_FOUND) : HttpResponse.ofJson(found.get(0));
  }

  @Get("/search")
  public List<Todo> search(@Param("q") String q) {
    return todos.where("text like ?", "%" + q + "%");
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}', JDBC_USER: '{user}', JDBC_PASSWORD: '{password}' },
  pool: { setBy: 'code' },
  routes: ['/api/todos', '/api/todos/3', '/api/search?q=1', '/internal/healthcheck'],
};

const pekko: FieldService = {
  ...jvm,
  name: 'pekko-http',
  files: {
    'pom.xml': mavenPom({
      dependencies: [
        'org.apache.pekko:pekko-actor-typed_2.13:1.1.5',
        'org.apache.pekko:pekko-stream_2.13:1.1.5',
        'org.apache.pekko:pekko-http_2.13:1.2.0',
        'ch.qos.logback:logback-classic:1.5.18',
        hikari,
        postgresDriver,
      ],
      packing: 'folder of jars',
    }),
    'src/main/resources/application.conf': `sensors {
  http {
    port = 8080
    port = \${?SENSORS_HTTP_PORT}
  }
  db {
    jdbcUrl = "jdbc:postgresql://localhost:5432/sensors"
    jdbcUrl = \${?SENSORS_DB_URL}
    username = \${?SENSORS_DB_USER}
    password = \${?SENSORS_DB_PASSWORD}
    threads = 10
    threads = \${?SENSORS_DB_THREADS}
  }
}
`,
    'src/main/java/com/example/sensors/SensorsApp.java': `package com.example.sensors;

import com.typesafe.config.Config;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.http.javadsl.Http;

public final class SensorsApp {
  public static void main(String[] args) throws Exception {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "sensors");
    Config settings = system.settings().config().getConfig("sensors");
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(settings.getString("db.jdbcUrl"));
    pool.setUsername(settings.getString("db.username"));
    pool.setPassword(settings.getString("db.password"));
    pool.setMaximumPoolSize(settings.getInt("db.threads"));
    SensorRoutes routes = new SensorRoutes(new HikariDataSource(pool), settings.getInt("db.threads"));
    Http.get(system).newServerAt("0.0.0.0", settings.getInt("http.port")).bind(routes.all()).whenComplete((binding, failure) -> {
      if (failure == null) {
        system.log().info("Server online at http://localhost:{}/", binding.localAddress().getPort());
      } else {
        system.log().error("Failed to bind, terminating system", failure);
        system.terminate();
      }
    });
  }
}
`,
    'src/main/java/com/example/sensors/SensorRoutes.java': `package com.example.sensors;

import java.sql.*;
import java.util.concurrent.*;
import javax.sql.DataSource;
import org.apache.pekko.http.javadsl.model.*;
import org.apache.pekko.http.javadsl.server.*;

final class SensorRoutes extends AllDirectives {
  private final DataSource source;
  private final ExecutorService threads;

  SensorRoutes(DataSource source, int threads) throws SQLException {
    this.source = source;
    this.threads = Executors.newFixedThreadPool(threads);
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists sensors (id int primary key, place text)");
      statement.execute("insert into sensors select n, 'Room ' || n from generate_series(1, 30) n on conflict do nothing");
    }
  }

  Route all() {
    return pathPrefix("sensors", () -> concat(
        pathEnd(() -> get(() -> answer("select json_agg(sensors) from sensors", null))),
        path(PathMatchers.integerSegment(), id -> get(() -> answer("select to_json(sensors) from sensors where id = ?", id)))));
  }

  private Route answer(String sql, Integer id) {
    CompletionStage<String> json = CompletableFuture.supplyAsync(() -> query(sql, id), threads);
    return onSuccess(json, text -> text == null
        ? complete(StatusCodes.NOT_FOUND)
        : complete(HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, text)));
  }

  private String query(String sql, Integer id) {
    try (Connection connection = source.getConnection(); PreparedStatement statement = connection.prepareStatement(sql)) {
      if (id != null) statement.setInt(1, id);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }
}
`,
  },
  command: ['java', '-cp', 'target/classes:target/lib/*', 'com.example.sensors.SensorsApp'],
  env: { SENSORS_DB_URL: 'jdbc:postgresql://{host}:{port}/{name}', SENSORS_DB_USER: '{user}', SENSORS_DB_PASSWORD: '{password}' },
  pool: { setBy: 'SENSORS_DB_THREADS' },
  routes: ['/sensors', '/sensors/3'],
};

const ratpack: FieldService = {
  ...jvm,
  name: 'ratpack',
  files: {
    'pom.xml': mavenPom({
      dependencies: ['io.ratpack:ratpack-core:1.9.0', hikari, postgresDriver, quiet],
      packing: 'one jar',
      mainClass: 'com.example.notes.Main',
    }),
    'src/main/java/com/example/notes/Main.java': `package com.example.notes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.*;
import javax.sql.DataSource;
import ratpack.exec.Blocking;
import ratpack.handling.Context;
import ratpack.server.RatpackServer;

public class Main {
  public static void main(String... args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(System.getenv("NOTES_DATABASE"));
    config.setUsername(System.getenv("NOTES_DATABASE_USER"));
    config.setPassword(System.getenv("NOTES_DATABASE_PASSWORD"));
    config.setMaximumPoolSize(Integer.parseInt(System.getenv().getOrDefault("NOTES_CONNECTIONS", "8")));
    DataSource source = new HikariDataSource(config);
    try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists notes (id int primary key, text text)");
      statement.execute("insert into notes select n, 'Note ' || n from generate_series(1, 30) n on conflict do nothing");
    }
    RatpackServer.start(server -> server
        .serverConfig(settings -> settings.env().sysProps())
        .handlers(chain -> chain
            .get(context -> context.render("Notes"))
            .prefix("notes", notes -> notes
                .get(context -> render(context, source, "select json_agg(notes)::text from notes", null))
                .get(":id:\\\\d+", context -> render(context, source, "select to_json(notes)::text from notes where id = ?",
                    Integer.valueOf(context.getPathTokens().get("id")))))));
  }

  static void render(Context context, DataSource source, String sql, Integer id) {
    Blocking.get(() -> {
      try (Connection connection = source.getConnection(); PreparedStatement statement = connection.prepareStatement(sql)) {
        if (id != null) statement.setInt(1, id);
        try (ResultSet rows = statement.executeQuery()) {
          return rows.next() ? rows.getString(1) : "";
        }
      }
    }).then(text -> {
      if (text.isEmpty()) context.clientError(404);
      else context.getResponse().contentType("application/json").send(text);
    });
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { NOTES_DATABASE: 'jdbc:postgresql://{host}:{port}/{name}', NOTES_DATABASE_USER: '{user}', NOTES_DATABASE_PASSWORD: '{password}' },
  pool: { setBy: 'NOTES_CONNECTIONS' },
  routes: ['/', '/notes', '/notes/3'],
};

/** Servers that keep queries off their event loops by a pool of threads. */
export const jvmAsynchronousServices: readonly FieldService[] = [armeria, pekko, ratpack];
