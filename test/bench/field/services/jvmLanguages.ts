import type { FieldService } from '../fieldService.ts';
import { hikari, mavenPackage, mavenPlugin, mavenPom, postgresDriver, quiet } from './jvmPom.ts';

const jvm = { runtime: 'jvm', usesPostgres: true, build: mavenPackage } as const;

const http4k: FieldService = {
  ...jvm,
  name: 'http4k-jetty',
  files: {
    'pom.xml': mavenPom({
      managed: ['org.http4k:http4k-bom:5.25.0.0'],
      dependencies: [
        'org.http4k:http4k-core',
        'org.http4k:http4k-server-jetty',
        'org.jetbrains.kotlin:kotlin-stdlib:2.2.20',
        hikari,
        postgresDriver,
        quiet,
      ],
      packing: 'one jar',
      mainClass: 'com.example.booking.BookingKt',
      plugins: mavenPlugin(
        'org.jetbrains.kotlin:kotlin-maven-plugin:2.2.20',
        `        <configuration><jvmTarget>17</jvmTarget></configuration>
        <executions><execution><id>compile</id><phase>process-sources</phase><goals><goal>compile</goal></goals></execution></executions>
`,
      ),
    }).replace('<build>', '<build>\n    <sourceDirectory>src/main/kotlin</sourceDirectory>'),
    'src/main/kotlin/com/example/booking/Booking.kt': `package com.example.booking

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import org.http4k.core.HttpHandler
import org.http4k.core.Method.GET
import org.http4k.core.Request
import org.http4k.core.Response
import org.http4k.core.Status.Companion.NOT_FOUND
import org.http4k.core.Status.Companion.OK
import org.http4k.core.then
import org.http4k.filter.ServerFilters
import org.http4k.routing.bind
import org.http4k.routing.path
import org.http4k.routing.routes
import org.http4k.server.Jetty
import org.http4k.server.asServer
import javax.sql.DataSource

class Bookings(private val source: DataSource) {
    init {
        source.connection.use { connection ->
            connection.createStatement().use {
                it.execute("create table if not exists bookings (id int primary key, guest text)")
                it.execute("insert into bookings select n, 'Guest ' || n from generate_series(1, 30) n on conflict do nothing")
            }
        }
    }

    fun find(id: Int?): List<String> = source.connection.use { connection ->
        connection.prepareStatement("select id, guest from bookings where ?::int is null or id = ? order by id").use { statement ->
            statement.setObject(1, id, java.sql.Types.INTEGER)
            statement.setObject(2, id, java.sql.Types.INTEGER)
            statement.executeQuery().use { rows ->
                generateSequence { if (rows.next()) """{"id":\${rows.getInt(1)},"guest":"\${rows.getString(2)}"}""" else null }.toList()
            }
        }
    }
}

fun json(text: String) = Response(OK).header("content-type", "application/json").body(text)

fun app(bookings: Bookings): HttpHandler = ServerFilters.CatchAll().then(
    routes(
        "/ping" bind GET to { Response(OK).body("pong") },
        "/bookings" bind routes(
            "/" bind GET to { json(bookings.find(null).joinToString(",", "[", "]")) },
            "/{id}" bind GET to { request: Request ->
                bookings.find(request.path("id")!!.toInt()).firstOrNull()?.let(::json) ?: Response(NOT_FOUND)
            },
        ),
    ),
)

fun main() {
    val env = System.getenv()
    val config = HikariConfig().apply {
        jdbcUrl = env["JDBC_DATABASE_URL"]
        maximumPoolSize = env["DB_MAX_CONNECTIONS"]?.toInt() ?: 10
    }
    val server = app(Bookings(HikariDataSource(config))).asServer(Jetty(env["PORT"]?.toInt() ?: 9000)).start()
    println("Server started on \${server.port()}")
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { JDBC_DATABASE_URL: 'jdbc:postgresql://{host}:{port}/{name}?user={user}&password={password}' },
  pool: { setBy: 'DB_MAX_CONNECTIONS' },
  routes: ['/ping', '/bookings/', '/bookings/3'],
};

const http4s: FieldService = {
  ...jvm,
  name: 'http4s-doobie',
  files: {
    'pom.xml': mavenPom({
      dependencies: [
        'org.scala-lang:scala-library:2.13.17',
        'org.http4s:http4s-ember-server_2.13:0.23.33',
        'org.http4s:http4s-dsl_2.13:0.23.33',
        'org.http4s:http4s-circe_2.13:0.23.33',
        'io.circe:circe-generic_2.13:0.14.15',
        'org.tpolecat:doobie-core_2.13:1.0.0-RC11',
        'org.tpolecat:doobie-hikari_2.13:1.0.0-RC11',
        postgresDriver,
        quiet,
      ],
      packing: 'one jar',
      mainClass: 'com.example.countries.Main',
      plugins: mavenPlugin(
        'net.alchim31.maven:scala-maven-plugin:4.9.5',
        `        <configuration><scalaVersion>2.13.17</scalaVersion></configuration>
        <executions><execution><goals><goal>compile</goal></goals></execution></executions>
`,
      ),
    }).replace('<build>', '<build>\n    <sourceDirectory>src/main/scala</sourceDirectory>'),
    'src/main/scala/com/example/countries/Main.scala': `package com.example.countries

import cats.effect._
import cats.implicits._
import com.comcast.ip4s._
import com.zaxxer.hikari.HikariConfig
import doobie._
import doobie.hikari.HikariTransactor
import doobie.implicits._
import io.circe.generic.auto._
import org.http4s._
import org.http4s.circe.CirceEntityEncoder._
import org.http4s.dsl.io._
import org.http4s.ember.server.EmberServerBuilder
import org.http4s.server.Router

case class Country(id: Int, name: String)

class Countries(xa: Transactor[IO]) {
  val prepare: IO[Unit] = (
    sql"create table if not exists country (id int primary key, name text not null)".update.run *>
      sql"insert into country select n, 'Country ' || n from generate_series(1, 30) n on conflict do nothing".update.run
  ).void.transact(xa)

  val all: IO[List[Country]] = sql"select id, name from country order by id".query[Country].to[List].transact(xa)

  def byId(id: Int): IO[Option[Country]] = sql"select id, name from country where id = $id".query[Country].option.transact(xa)
}

object Main extends IOApp.Simple {
  def routes(countries: Countries): HttpRoutes[IO] = HttpRoutes.of[IO] {
    case GET -> Root / "countries"              => countries.all.flatMap(Ok(_))
    case GET -> Root / "countries" / IntVar(id) => countries.byId(id).flatMap(_.fold(NotFound())(Ok(_)))
    case GET -> Root / "health"                 => Ok("ok")
  }

  private def config: HikariConfig = {
    val hikari = new HikariConfig()
    hikari.setDriverClassName("org.postgresql.Driver")
    hikari.setJdbcUrl(sys.env("DATABASE_JDBC_URL"))
    hikari.setUsername(sys.env("DATABASE_USER"))
    hikari.setPassword(sys.env("DATABASE_PASSWORD"))
    hikari.setMaximumPoolSize(sys.env.getOrElse("DATABASE_POOL_SIZE", "16").toInt)
    hikari
  }

  private val port: Port = sys.env.get("HTTP_PORT").flatMap(Port.fromString).getOrElse(port"8080")

  def run: IO[Unit] =
    HikariTransactor.fromHikariConfig[IO](config).use { xa =>
      val countries = new Countries(xa)
      countries.prepare *>
        EmberServerBuilder
          .default[IO]
          .withHost(ipv4"0.0.0.0")
          .withPort(port)
          .withHttpApp(Router("/" -> routes(countries)).orNotFound)
          .build
          .useForever
    }
}
`,
  },
  command: ['java', '-jar', 'target/shop-1.0.0.jar'],
  env: { DATABASE_JDBC_URL: 'jdbc:postgresql://{host}:{port}/{name}', DATABASE_USER: '{user}', DATABASE_PASSWORD: '{password}' },
  pool: { setBy: 'DATABASE_POOL_SIZE' },
  routes: ['/countries', '/countries/3', '/health'],
};

/** Services in Kotlin and Scala. */
export const jvmLanguageServices: readonly FieldService[] = [http4k, http4s];
