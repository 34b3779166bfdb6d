import type { FieldService } from '../fieldService.ts';
import { newerJavaFirst } from './jvmNewerJava.ts';
import { mavenPlugin, mavenPom, postgresDriver } from './jvmPom.ts';

const jvm = { runtime: 'jvm', usesPostgres: true } as const;
const newerJava = newerJavaFirst();
const builtByNewerJava: FieldService['build'] = [
  ['env', ...Object.entries(newerJava).map(([name, value]) => `${name}=${value}`), 'mvn', '-B', '-q', '-DskipTests', 'package'],
];
const helidonPlugins = (more: readonly string[] = []): string =>
  [
    mavenPlugin(
      'org.apache.maven.plugins:maven-dependency-plugin',
      '        <executions><execution><id>copy-libs</id></execution></executions>\n',
    ),
    ...more,
  ].join('');

const helidonSe: FieldService = {
  ...jvm,
  name: 'helidon-se-dbclient',
  build: builtByNewerJava,
  files: {
    'pom.xml': mavenPom({
      parent: 'io.helidon.applications:helidon-se:4.1.7',
      properties: { 'maven.compiler.release': '21', mainClass: 'com.example.pokemon.Main' },
      dependencies: [
        'io.helidon.webserver:helidon-webserver',
        'io.helidon.webserver.observe:helidon-webserver-observe-health',
        'io.helidon.http.media:helidon-http-media-jsonp',
        'io.helidon.config:helidon-config-yaml',
        'io.helidon.logging:helidon-logging-jul',
        'io.helidon.dbclient:helidon-dbclient',
        'io.helidon.dbclient:helidon-dbclient-jdbc',
        'io.helidon.dbclient:helidon-dbclient-hikari',
        'io.helidon.dbclient:helidon-dbclient-jsonp',
        postgresDriver,
      ],
      plugins: helidonPlugins(),
    }),
    'src/main/resources/application.yaml': `server:
  port: 8080
  host: 0.0.0.0

db:
  source: jdbc
  connection:
    url: "jdbc:postgresql://localhost:5432/pokemon"
    username: "pokemon"
    password: "changeit"
    poolName: "pokemon"
    connectionTimeout: 2000
    maximumPoolSize: 8
  statements:
    create-pokemons: "CREATE TABLE IF NOT EXISTS pokemons (id INTEGER PRIMARY KEY, name VARCHAR(64) NOT NULL)"
    insert-pokemons: "INSERT INTO pokemons SELECT n, 'Pokemon ' || n FROM generate_series(1, 30) n ON CONFLICT DO NOTHING"
    select-all-pokemons: "SELECT id, name FROM pokemons"
    select-pokemon-by-id: "SELECT id, name FROM pokemons WHERE id = :id"
    select-pokemon-by-name: "SELECT id, name FROM pokemons WHERE name = ?"
`,
    'src/main/java/com/example/pokemon/Main.java': `package com.example.pokemon;

import io.helidon.config.Config;
import io.helidon.dbclient.DbClient;
import io.helidon.logging.common.LogConfig;
import io.helidon.webserver.WebServer;

public final class Main {
  private Main() {}

  public static void main(String[] args) {
    LogConfig.configureRuntime();
    Config config = Config.create();
    DbClient dbClient = DbClient.create(config.get("db"));
    WebServer server = WebServer.builder()
        .config(config.get("server"))
        .routing(routing -> routing.register("/db", new PokemonService(dbClient)))
        .build()
        .start();
    System.out.println("WEB server is up! http://localhost:" + server.port() + "/db");
  }
}
`,
    'src/main/java/com/example/pokemon/PokemonService.java': `package com.example.pokemon;

import io.helidon.dbclient.DbClient;
import io.helidon.http.NotFoundException;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;

class PokemonService implements HttpService {
  private final DbClient dbClient;

  PokemonService(DbClient dbClient) {
    this.dbClient = dbClient;
    dbClient.execute().namedDml("create-pokemons");
    dbClient.execute().namedDml("insert-pokemons");
  }

  @Override
  public void routing(HttpRules rules) {
    rules.get("/", this::index)
        .get("/pokemon", this::listPokemons)
        .get("/pokemon/name/{name}", this::getPokemonByName)
        .get("/pokemon/{id}", this::getPokemonById);
  }

  private void index(ServerRequest request, ServerResponse response) {
    response.send("GET /pokemon, /pokemon/{id}, /pokemon/name/{name}");
  }

  private void listPokemons(ServerRequest request, ServerResponse response) {
    JsonArrayBuilder all = Json.createArrayBuilder();
    dbClient.execute().namedQuery("select-all-pokemons").map(row -> row.as(JsonObject.class)).forEach(all::add);
    response.send(all.build());
  }

  private void getPokemonById(ServerRequest request, ServerResponse response) {
    int id = Integer.parseInt(request.path().pathParameters().get("id"));
    response.send(dbClient.execute().createNamedGet("select-pokemon-by-id").addParam("id", id).execute()
        .orElseThrow(() -> new NotFoundException("Pokemon " + id + " not found")).as(JsonObject.class));
  }

  private void getPokemonByName(ServerRequest request, ServerResponse response) {
    String name = request.path().pathParameters().get("name");
    response.send(dbClient.execute().namedGet("select-pokemon-by-name", name)
        .orElseThrow(() -> new NotFoundException("Pokemon " + name + " not found")).as(JsonObject.class));
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop.jar'],
  env: {
    DB_CONNECTION_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    DB_CONNECTION_USERNAME: '{user}',
    DB_CONNECTION_PASSWORD: '{password}',
    ...newerJava,
  },
  pool: { setBy: 'db.connection.maximumPoolSize' },
  routes: ['/db', '/db/pokemon', '/db/pokemon/3', '/db/pokemon/name/Pokemon 3'],
};

const helidonMp: FieldService = {
  ...jvm,
  name: 'helidon-mp',
  build: builtByNewerJava,
  files: {
    'pom.xml': mavenPom({
      parent: 'io.helidon.applications:helidon-mp:4.2.0',
      properties: { 'maven.compiler.release': '21' },
      dependencies: [
        'io.helidon.microprofile.bundles:helidon-microprofile',
        'io.helidon.integrations.cdi:helidon-integrations-cdi-datasource-hikaricp',
        'io.helidon.logging:helidon-logging-jul',
        'org.glassfish.jersey.media:jersey-media-json-binding',
        postgresDriver,
      ],
      plugins: helidonPlugins([
        mavenPlugin('io.smallrye:jandex-maven-plugin', '        <executions><execution><id>make-index</id></execution></executions>\n'),
      ]),
    }),
    'src/main/resources/META-INF/beans.xml': `<?xml version="1.0" encoding="UTF-8"?>
<beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated"></beans>
`,
    'src/main/resources/META-INF/microprofile-config.properties': `server.port=8080
server.host=0.0.0.0

javax.sql.DataSource.library.dataSourceClassName=org.postgresql.ds.PGSimpleDataSource
javax.sql.DataSource.library.dataSource.url=jdbc:postgresql://localhost:5432/library
javax.sql.DataSource.library.dataSource.user=library
javax.sql.DataSource.library.dataSource.password=changeit
javax.sql.DataSource.library.maximumPoolSize=10
`,
    'src/main/java/com/example/library/Book.java': `package com.example.library;

public class Book {
  public int id;
  public String title;

  public Book() {}

  public Book(int id, String title) {
    this.id = id;
    this.title = title;
  }
}
`,
    'src/main/java/com/example/library/BookResource.java': `package com.example.library;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;
import java.sql.*;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

@Path("/books")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
public class BookResource {
  private final DataSource dataSource;

  @Inject
  public BookResource(@Named("library") DataSource dataSource) throws SQLException {
    this.dataSource = dataSource;
    try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
      statement.execute("create table if not exists books (id int primary key, title text)");
      statement.execute("insert into books select n, 'Book ' || n from generate_series(1, 30) n on conflict do nothing");
    }
  }

  @GET
  public List<Book> list(@QueryParam("limit") @DefaultValue("10") int limit) throws SQLException {
    return query("select id, title from books order by id limit ?", limit);
  }

  @GET
  @Path("/{id}")
  public Book one(@PathParam("id") int id) throws SQLException {
    return query("select id, title from books where id = ?", id).stream().findFirst().orElseThrow(NotFoundException::new);
  }

  private List<Book> query(String sql, int parameter) throws SQLException {
    List<Book> found = new ArrayList<>();
    try (Connection connection = dataSource.getConnection(); PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, parameter);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) found.add(new Book(rows.getInt(1), rows.getString(2)));
      }
    }
    return found;
  }
}
`,
  },
  command: ['java', '-jar', 'target/shop.jar'],
  env: {
    JAVAX_SQL_DATASOURCE_LIBRARY_DATASOURCE_URL: 'jdbc:postgresql://{host}:{port}/{name}',
    JAVAX_SQL_DATASOURCE_LIBRARY_DATASOURCE_USER: '{user}',
    JAVAX_SQL_DATASOURCE_LIBRARY_DATASOURCE_PASSWORD: '{password}',
    ...newerJava,
  },
  pool: { setBy: 'javax.sql.DataSource.library.maximumPoolSize' },
  routes: ['/books', '/books/3', '/health'],
};

/** Helidon with its own way of routes, and with that of MicroProfile. */
export const jvmHelidonServices: readonly FieldService[] = [helidonSe, helidonMp];
