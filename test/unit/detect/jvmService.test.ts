import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { findingsOf } from '../../../src/model/domain/detection.ts';
import { writeFiles } from '../../support/writeFiles.ts';
import { zipArchive } from '../../support/zipArchive.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-jvm-service-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const jar = (manifest: string): Buffer => zipArchive({ 'META-INF/MANIFEST.MF': manifest, 'a/Main.class': 'class' });
const startable = jar('Main-Class: a.Main\n');
const library = jar('Manifest-Version: 1.0\n');
const pom = (more = ''): string => `<project><artifactId>shop</artifactId><version>1.2</version>
  <dependencies><dependency><artifactId>javalin</artifactId></dependency><dependency><artifactId>postgresql</artifactId></dependency></dependencies>${more}</project>`;
const main = 'src/main/java/shop/Shop.java';
const source = (body: string): string => `package shop;\nclass Shop { public static void main(String[] args) {\n${body}\n} }`;

function found(files: Readonly<Record<string, string | Buffer>>) {
  writeFiles(dir, files);
  return detectServices(dir).services[0]?.findings ?? [];
}

function started(files: Readonly<Record<string, string | Buffer>>): string | undefined {
  return findingsOf(found(files), 'command')[0]?.command.at(-1);
}

describe('the jar that starts a JVM service', () => {
  it.each<[string, Readonly<Record<string, Buffer>>, string | undefined]>([
    ['is the one that its build says, before it is built', {}, 'target/shop-1.2.jar'],
    ['is the one that its build says', { 'shop-1.2.jar': startable, 'shop-1.2-all.jar': startable }, 'target/shop-1.2.jar'],
    [
      'is the one that can be started, whatever a plugin calls it',
      { 'shop-1.2.jar': library, 'shop-1.2-fat.jar': startable },
      'target/shop-1.2-fat.jar',
    ],
    ['is not a library', { 'shop-1.2.jar': library }, undefined],
    ['is asked for where several can be started', { 'shop-1.2.jar': library, 'a.jar': startable, 'b.jar': startable }, undefined],
  ])('%s', (_case, jars, expected) => {
    const built = Object.fromEntries(Object.entries(jars).map(([name, content]) => [`target/${name}`, content]));
    expect(started({ 'pom.xml': pom(), [main]: source(''), ...built })).toBe(expected);
  });

  it('is none of a version that was built before', () => {
    writeFiles(dir, { 'target/shop-1.1.jar': startable });
    utimesSync(path.join(dir, 'target/shop-1.1.jar'), 1_000, 1_000);
    expect(started({ 'pom.xml': pom(), [main]: source('') })).toBe('target/shop-1.2.jar');
  });

  it.each([
    ['<quarkus.package.type>uber-jar</quarkus.package.type>', 'target/shop-1.2-runner.jar'],
    ['<quarkus.package.jar.type>uber-jar</quarkus.package.jar.type>', 'target/shop-1.2-runner.jar'],
    ['<quarkus.package.jar.type>fast-jar</quarkus.package.jar.type>', 'target/quarkus-app/quarkus-run.jar'],
  ])('of Quarkus with %s is %s', (property, expected) => {
    const quarkus = `<properties>${property}</properties><build><plugins><plugin><artifactId>quarkus-maven-plugin</artifactId></plugin></plugins></build>`;
    expect(started({ 'pom.xml': pom(quarkus), [main]: source('') })).toBe(expected);
  });

  it('starts its class, which is no second way to start', () => {
    writeFiles(dir, {
      'pom.xml': '<project><artifactId>shop</artifactId></project>',
      'src/main/java/a/Main.java': 'package a;\npublic class Main {\n  public static void main(String[] args) {}\n}',
      'src/main/java/a/Fill.java': 'package a;\npublic class Fill {\n  public static void main(String[] args) {}\n}',
      'target/shop-all.jar': startable,
    });
    expect(detectServices(dir).candidates.map(({ file }) => file)).toEqual(['target/shop-all.jar', 'src/main/java/a/Fill.java']);
  });

  it('is that of a server of Ktor', () => {
    const ktor =
      '<project><artifactId>shop</artifactId><dependencies><dependency><artifactId>ktor-server-netty-jvm</artifactId></dependency></dependencies></project>';
    expect(started({ 'pom.xml': ktor, 'src/main/kotlin/Main.kt': 'fun main() {}', 'target/shop-all.jar': startable })).toBe(
      'target/shop-all.jar',
    );
  });

  it('is named by what the project says of itself, or Maven in its place', () => {
    const named = '<parent><version>7</version></parent><build><finalName>${project.name}-${project.parent.version}</finalName></build>';
    expect(started({ 'pom.xml': pom(named), [main]: source('') })).toBe('target/shop-7.jar');
  });
});

describe('the address of a database that a JVM service reads', () => {
  const address = (body: string, files: Readonly<Record<string, string>> = {}) =>
    findingsOf(found({ 'pom.xml': pom(), [main]: source(body), ...files }), 'postgres')[0];

  it.each([
    ['config.setJdbcUrl(System.getenv("DB_URL")); config.setUsername(System.getenv("DB_USER"));', { jdbcUrl: 'DB_URL', user: 'DB_USER' }],
    ['open(System.getenv().getOrDefault("DATABASE_URL", "jdbc:postgresql://localhost/shop"));', { jdbcUrl: 'DATABASE_URL' }],
    ['open(env("DB_URL"), env("DB_USERNAME"), env("DB_PWD"));', { jdbcUrl: 'DB_URL', user: 'DB_USERNAME', password: 'DB_PWD' }],
    ['open(System.getenv("STORE") ?: "jdbc:postgresql://localhost/shop")', { jdbcUrl: 'STORE' }],
    ['open(envOr("STORE_AT", "jdbc:postgresql://localhost/shop"), System.getenv("DB_HOST"));', { jdbcUrl: 'STORE_AT' }],
    ['URI at = new URI(System.getenv("DATABASE_URL")); at.getUserInfo();', { url: 'DATABASE_URL' }],
    ['PgConnectOptions.fromUri(System.getenv("DATABASE_URL"));', { url: 'DATABASE_URL' }],
    ['open(System.getenv().getOrDefault("STORE_AT", "r2dbc:pool:postgresql://localhost/shop"));', { r2dbcUrl: 'STORE_AT' }],
    ['ConnectionFactories.get(System.getenv("DATABASE_URL"));', { r2dbcUrl: 'DATABASE_URL' }],
    [
      'Flyway.configure().dataSource(env("MIGRATE_AT", "jdbc:postgresql://localhost/shop"), null, null); ConnectionFactories.get(env("DB_URL", "r2dbc:postgresql://localhost/shop"));',
      { jdbcUrl: 'MIGRATE_AT', r2dbcUrl: 'DB_URL' },
    ],
    ['URI.create(env("OTHER_URL")).getUserInfo(); open(env("DB_URL", "jdbc:postgresql://localhost/shop"));', { jdbcUrl: 'DB_URL' }],
  ])('in %s', (body, env) => {
    expect(address(body)?.env).toEqual(env);
  });

  it('is none where its host is in its code, whoever it says it is', () => {
    const [login, port] = ['as(env("DB_USER"), env("DB_PWD"), env("DB_NAME"));', 'at(env("DB_PORT"));'];
    expect(address(login)).toBeUndefined();
    expect(address(port)).toBeUndefined();
    expect(address(login + port)?.env).toEqual({ port: 'DB_PORT', user: 'DB_USER', password: 'DB_PWD', database: 'DB_NAME' });
  });

  it('has the form of its example where its sources do not say it, and is sure where they read it', () => {
    const example = { '.env.example': 'STORE_AT=jdbc:postgresql://localhost/shop\n' };
    expect(address('open(env("STORE_AT"));', example)).toMatchObject({ env: { jdbcUrl: 'STORE_AT' }, sure: false });
    expect(address('open(System.getenv().get("STORE_AT"));', example)).toMatchObject({ env: { jdbcUrl: 'STORE_AT' }, sure: true });
  });
});

describe('what a framework reads from the environment, too', () => {
  const at = 'src/main/resources/application.';
  const framework = (...artifacts: string[]): string =>
    `<project><artifactId>shop</artifactId><version>1</version><dependencies>${['postgresql', ...artifacts].map((one) => `<dependency><artifactId>${one}</artifactId></dependency>`).join('')}</dependencies></project>`;
  const read = (files: Readonly<Record<string, string>>) => {
    const findings = found({ [main]: source(''), ...files });
    const [pool] = findingsOf(findings, 'setting');
    return {
      port: findingsOf(findings, 'port')[0]?.port,
      address: findingsOf(findings, 'postgres')[0]?.env,
      pool: pool === undefined ? undefined : [pool.spec.env, pool.spec.default],
    };
  };
  const quarkus = { user: 'QUARKUS_DATASOURCE_USERNAME', password: 'QUARKUS_DATASOURCE_PASSWORD' };
  const [port, jdbcUrl] = [{ env: 'QUARKUS_HTTP_PORT' }, 'QUARKUS_DATASOURCE_JDBC_URL'];

  it.each<[string, Readonly<Record<string, string>>, ReturnType<typeof read>]>([
    [
      'Spring Boot with R2DBC, whose tables Flyway makes by JDBC',
      {
        'pom.xml': framework('spring-boot-starter-webflux', 'spring-boot-starter-data-r2dbc', 'flyway-core'),
        [`${at}properties`]:
          'spring.r2dbc.url=r2dbc:postgresql://localhost/shop\nspring.r2dbc.pool.max-size=6\nspring.flyway.url=jdbc:postgresql://localhost/shop\n',
      },
      {
        port: { env: 'SERVER_PORT' },
        address: { r2dbcUrl: 'SPRING_R2DBC_URL', jdbcUrl: 'SPRING_FLYWAY_URL' },
        pool: ['SPRING_R2DBC_POOL_MAX_SIZE', 6],
      },
    ],
    [
      'Spring Boot with R2DBC alone, of which no file says anything',
      { 'pom.xml': framework('spring-boot-starter-webflux', 'r2dbc-postgresql') },
      { port: { env: 'SERVER_PORT' }, address: { r2dbcUrl: 'SPRING_R2DBC_URL' }, pool: ['SPRING_R2DBC_POOL_MAX_SIZE', 10] },
    ],
    [
      'Quarkus, with the profile that what is built runs with',
      {
        'pom.xml': framework('quarkus-rest', 'quarkus-maven-plugin', 'quarkus-jdbc-postgresql'),
        [`${at}properties`]: 'quarkus.datasource.jdbc.max-size=7\n%prod.quarkus.datasource.jdbc.max-size=9\n',
      },
      { port, address: { jdbcUrl, ...quarkus }, pool: ['QUARKUS_DATASOURCE_JDBC_MAX_SIZE', 9] },
    ],
    [
      'Quarkus with both kinds of drivers',
      {
        'pom.xml': framework('quarkus-rest', 'quarkus-maven-plugin', 'quarkus-jdbc-postgresql', 'quarkus-reactive-pg-client'),
        [`${at}yml`]: 'quarkus:\n  datasource:\n    reactive:\n      max-size: 6\n',
      },
      {
        port,
        address: { url: 'QUARKUS_DATASOURCE_REACTIVE_URL', jdbcUrl, ...quarkus },
        pool: ['QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE', 6],
      },
    ],
    [
      'Micronaut',
      {
        'pom.xml': framework('micronaut-http-server-netty'),
        [`${at}yml`]: 'datasources:\n  default:\n    url: ${JDBC_URL:`jdbc:postgresql://localhost/shop`}\n    maximum-pool-size: 5\n',
      },
      {
        port: { env: 'MICRONAUT_SERVER_PORT' },
        address: { jdbcUrl: 'DATASOURCES_DEFAULT_URL', user: 'DATASOURCES_DEFAULT_USERNAME', password: 'DATASOURCES_DEFAULT_PASSWORD' },
        pool: ['DATASOURCES_DEFAULT_MAXIMUM_POOL_SIZE', 5],
      },
    ],
    [
      'Micronaut that keeps its data elsewhere',
      { 'pom.xml': framework('micronaut-http-server-netty'), [`${at}properties`]: 'datasources.default.url=jdbc:h2:mem:shop\n' },
      { port: { env: 'MICRONAUT_SERVER_PORT' }, address: undefined, pool: undefined },
    ],
  ])('is of %s', (_case, files, expected) => {
    expect(read(files)).toEqual(expected);
  });
});

describe('a JVM service of several modules', () => {
  const module = (artifact: string, more: string): string =>
    `<project><parent><artifactId>root</artifactId><version>1</version></parent><artifactId>${artifact}</artifactId>${more}</project>`;
  const uses = (...artifacts: string[]): string =>
    `<dependencies>${artifacts.map((one) => `<dependency><artifactId>${one}</artifactId></dependency>`).join('')}</dependencies>`;
  const root = (more: string): string =>
    `<project><parent><artifactId>spring-boot-starter-parent</artifactId></parent><artifactId>root</artifactId><packaging>pom</packaging>${more}</project>`;
  const starts = { 'app/src/main/java/App.java': '@SpringBootApplication class App { public static void main(String[] a) {} }' };
  const services = (files: Readonly<Record<string, string>>) => {
    writeFiles(dir, files);
    return detectServices(dir).services.map(({ folder, because, driver }) => [folder, because, driver]);
  };

  it('is the one with a class that starts it, and has what its parent depends on', () => {
    expect(
      services({
        'pom.xml': root(uses('spring-boot-starter-web', 'postgresql')),
        'app/pom.xml': module('app', ''),
        'shared/pom.xml': module('shared', ''),
        'shared/src/main/java/Money.java': 'class Money {}',
        ...starts,
      }),
    ).toEqual([['app', 'pom.xml depends on spring-boot-starter-web', 'postgresql']]);
  });

  it('has no database for a version that its parent manages', () => {
    expect(
      services({
        'pom.xml': root(`<dependencyManagement>${uses('postgresql', 'spring-boot-starter-web')}</dependencyManagement>`),
        'app/pom.xml': module('app', uses('spring-boot-starter-web')),
        ...starts,
      }),
    ).toEqual([['app', 'app/pom.xml depends on spring-boot-starter-web', null]]);
  });

  it('has the server of a module that it depends on', () => {
    expect(
      services({
        'pom.xml': root(''),
        'app/pom.xml': module('app', uses('tables', 'endpoints')),
        'tables/pom.xml': module('tables', uses('postgresql')),
        'tables/src/main/java/Row.java': 'class Row {}',
        'endpoints/pom.xml': module('endpoints', uses('javalin')),
        ...starts,
      }),
    ).toEqual([['app', 'endpoints/pom.xml depends on javalin', 'postgresql']]);
  });

  it.each(['vertx-pg-client', 'quarkus-reactive-pg-client'])('speaks to PostgreSQL by %s', (driver) => {
    expect(
      services({
        'pom.xml': `<project><artifactId>a</artifactId>${uses('vertx-web', driver)}</project>`,
        'src/main/java/A.java': 'class A {}',
      }),
    ).toEqual([['.', 'pom.xml depends on vertx-web', 'postgresql']]);
  });
});

describe('a Gradle build that names its libraries by a catalog', () => {
  const app =
    'import io.ktor.server.routing.*\nfun main() {}\nfun Application.module() { routing { get("/dogs") { } } }\nval url = System.getenv("JDBC_DATABASE_URL")';
  const catalog = `[versions]
ktor = "3.1.1"
[libraries]
ktor-server-core = { module = "io.ktor:ktor-server-core", version.ref = "ktor" }
ktor_netty = { group = "io.ktor", name = "ktor-server-netty", version.ref = "ktor" }
driver-pg = "org.postgresql:postgresql:42.7.5"
spring-web = { module = "org.springframework.boot:spring-boot-starter-web" }
[bundles]
server = [
  "ktor-server-core",
  "ktor_netty",
]
[plugins]
boot = { id = "org.springframework.boot", version = "3.5.0" }
`;

  it.each([
    ['libraries', 'dependencies { implementation(libs.ktor.server.core)\n implementation(libs.driver.pg) }', 'ktor-server'],
    ['a bundle', 'dependencies { implementation(libs.bundles.server)\n implementation(libs.driver.pg) }', 'ktor-server'],
    [
      'a plugin',
      'plugins { alias(libs.plugins.boot) }\ndependencies { implementation(libs.spring.web)\n runtimeOnly(libs.driver.pg.get()) }',
      'spring-boot-starter-web',
    ],
  ])('is a service by %s, in a module of a project too', (_what, build, server) => {
    writeFiles(dir, {
      'gradle/libs.versions.toml': catalog,
      'settings.gradle.kts': 'include(":app")',
      'app/build.gradle.kts': build,
      'app/src/main/kotlin/App.kt': app,
    });
    const [service] = detectServices(dir).services;
    expect(service).toMatchObject({ folder: 'app', driver: 'postgresql', because: `app/build.gradle.kts depends on ${server}` });
    expect(findingsOf(service?.findings ?? [], 'postgres')).toHaveLength(1);
  });

  it('is none by what its catalog only knows', () => {
    writeFiles(dir, {
      'gradle/libs.versions.toml': catalog,
      'build.gradle.kts': 'plugins { kotlin("jvm") }',
      'src/main/kotlin/App.kt': app,
    });
    expect(detectServices(dir).services).toEqual([]);
  });
});
