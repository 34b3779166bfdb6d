import type { Finding } from '../../model/domain/detection.ts';
import { readYaml } from './boundedYaml.ts';
import { type FolderFiles, within } from './folderFiles.ts';
import { type SizeName, addressFinding, sizeFinding } from './parts.ts';

/** What the files of a service configure. */
interface Configured {
  file: string;
  get(property: string): string | undefined;
}

/** A framework that reads each of its properties from the environment too, so that these variables work whatever the files say. */
interface Framework {
  name: string;
  isUsed: RegExp;
  findings(configured: Configured, build: string): Finding[];
}

export const isBoot = (build: string): boolean => /spring-boot/.test(build);

const frameworks: readonly Framework[] = [
  { name: 'Spring Boot', isUsed: /spring-boot/, findings: springFindings },
  { name: 'Quarkus', isUsed: /\bio\.quarkus\b|\bquarkus-maven-plugin\b/, findings: quarkusFindings },
  { name: 'Micronaut', isUsed: /\bio\.micronaut\b|\bmicronaut-http-server/, findings: micronautFindings },
];

/** How a service is given its port, its database and its sizes by the framework that its build names. */
export function frameworkFindings(files: FolderFiles, folder: string, build: string): Finding[] {
  const used = frameworks.find(({ isUsed }) => isUsed.test(build));
  return used === undefined ? [] : used.findings(configuredIn(files, folder), build);
}

/** What a framework reads of its own accord, or what a file has of it. */
function reason(framework: string, { file, get }: Configured): (property: string) => string {
  return (property) => (get(property) === undefined ? `${framework} reads it` : `${file}: ${property}`);
}

/** The variable for a property: `quarkus.http.port` is QUARKUS_HTTP_PORT. */
function variableFor(property: string): string {
  return property.replace(/[.-]/g, '_').toUpperCase();
}

function portFrom(property: string, because: (property: string) => string): Finding {
  const env = variableFor(property);
  return { part: 'port', title: `port from ${env}`, because: because(property), sure: true, port: { env } };
}

/** A size: what the files have, else the usual one, which is assumed where it depends on the version. */
function sizeFrom(
  name: SizeName,
  property: string,
  {
    configured,
    usual,
    isAssumed = false,
    because,
  }: { configured: string | undefined; usual: number; isAssumed?: boolean; because: (property: string) => string },
): Finding {
  const env = variableFor(property);
  const written = Number(configured);
  const isWritten = written >= 1;
  const size = isWritten ? written : usual;
  const from = `from ${env}, ${size} ${isWritten || !isAssumed ? 'by default' : 'is assumed'}`;
  return sizeFinding(name, size, { env }, { from, because: because(property), sure: true });
}

function springFindings(configured: Configured, build: string): Finding[] {
  const { get } = configured;
  const because = reason('Spring Boot', configured);
  const data = /spring-boot-starter-(?:data-)?(?:jdbc|jpa)|HikariCP/.test(build) || get('spring.datasource.url') !== undefined;
  const pool = 'spring.datasource.hikari.maximum-pool-size';
  const reactive = /spring-boot-starter-(?:data-)?r2dbc|\br2dbc-postgresql\b/.test(build) || get('spring.r2dbc.url') !== undefined;
  const threads = 'server.tomcat.threads.max';
  return [
    portFrom('server.port', because),
    ...(reactive ? reactiveFindings(get, because) : []),
    ...(data && !reactive
      ? [
          addressFinding(
            { jdbcUrl: 'SPRING_DATASOURCE_URL', user: 'SPRING_DATASOURCE_USERNAME', password: 'SPRING_DATASOURCE_PASSWORD' },
            { because: because('spring.datasource.url'), sure: true },
          ),
          sizeFrom('pool', pool, { configured: get(pool) ?? get('spring.datasource.hikari.maximumPoolSize'), usual: 10, because }),
        ]
      : []),
    ...(/webflux|jetty|undertow/.test(build) ? [] : [sizeFrom('threads', threads, { configured: get(threads), usual: 200, because })]),
  ];
}

/** By R2DBC; what makes the tables of such a service has an address of JDBC. Each address says who it is: the variables of users differ. */
function reactiveFindings(get: Configured['get'], because: (property: string) => string): Finding[] {
  const tables = ['spring.flyway.url', 'spring.liquibase.url', 'spring.datasource.url'].find((property) => get(property) !== undefined);
  const pool = 'spring.r2dbc.pool.max-size';
  return [
    addressFinding(
      { r2dbcUrl: 'SPRING_R2DBC_URL', ...(tables === undefined ? {} : { jdbcUrl: variableFor(tables) }) },
      { because: because('spring.r2dbc.url'), sure: true },
    ),
    sizeFrom('pool', pool, { configured: get(pool) ?? get('spring.r2dbc.pool.maxSize'), usual: 10, because }),
  ];
}

/** Its drivers of JDBC and its reactive ones have an address each, and both the same user. */
function quarkusFindings(configured: Configured, build: string): Finding[] {
  // What is built runs with the profile for production.
  const get = (property: string): string | undefined => configured.get(`%prod.${property}`) ?? configured.get(property);
  const because = reason('Quarkus', { ...configured, get });
  const at = { url: 'quarkus.datasource.reactive.url', jdbcUrl: 'quarkus.datasource.jdbc.url' };
  const isReactive = /\bquarkus-reactive-pg-client\b/.test(build) || get(at.url) !== undefined;
  const isJdbc = /\bquarkus-jdbc-postgresql\b/.test(build) || get(at.jdbcUrl) !== undefined;
  const pool = `quarkus.datasource.${isReactive ? 'reactive' : 'jdbc'}.max-size`;
  return [
    portFrom('quarkus.http.port', because),
    ...(isReactive || isJdbc
      ? [
          addressFinding(
            {
              ...(isReactive ? { url: variableFor(at.url) } : {}),
              ...(isJdbc ? { jdbcUrl: variableFor(at.jdbcUrl) } : {}),
              user: 'QUARKUS_DATASOURCE_USERNAME',
              password: 'QUARKUS_DATASOURCE_PASSWORD',
            },
            { because: because(isReactive ? at.url : at.jdbcUrl), sure: true },
          ),
          sizeFrom('pool', pool, { configured: get(pool), usual: 20, isAssumed: true, because }),
        ]
      : []),
  ];
}

/** Its data sources have names of the service's own: the usual one is looked for. */
function micronautFindings(configured: Configured): Finding[] {
  const { get } = configured;
  const because = reason('Micronaut', configured);
  const source = 'datasources.default';
  const pool = `${source}.maximum-pool-size`;
  return [
    portFrom('micronaut.server.port', because),
    ...(/^jdbc:postgresql:|^\$/.test(get(`${source}.url`) ?? '')
      ? [
          addressFinding(
            { jdbcUrl: variableFor(`${source}.url`), user: variableFor(`${source}.username`), password: variableFor(`${source}.password`) },
            { because: because(`${source}.url`), sure: true },
          ),
          sizeFrom('pool', pool, { configured: get(pool) ?? get(`${source}.maximumPoolSize`), usual: 10, because }),
        ]
      : []),
  ];
}

/** The properties that the files of a service configure for its framework. */
export function configuredIn(files: FolderFiles, folder: string): Configured {
  const at = (name: string): string => within(folder, `src/main/resources/${name}`);
  const plain = at('application.properties');
  const properties = files.text(plain);
  if (properties !== null) {
    const lines = new Map(
      properties.split('\n').flatMap((line) => {
        const key = /^\s*([\w.%-]+)\s*[=:]/.exec(line)?.[1];
        return key === undefined ? [] : [[key, byDefault(line.slice(line.search(/[=:]/) + 1).trim())] as const];
      }),
    );
    return { file: plain, get: (property) => lines.get(property) };
  }
  const file = [at('application.yml'), at('application.yaml')].find((name) => files.has(name)) ?? at('application.yml');
  const read = readYaml((files.text(file) ?? '').split(/^---[ \t]*$/m)[0] ?? '');
  return {
    file,
    get: (property) => {
      let value: unknown = read;
      for (const key of property.split('.'))
        value =
          typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
      return typeof value === 'string' || typeof value === 'number' ? byDefault(String(value)) : undefined;
    },
  };
}

/** `${DB_POOL:10}` is 10 where nothing is set; Micronaut quotes what has a colon itself. */
function byDefault(value: string): string {
  return /^\$\{[\w.-]+:([^}]*)\}$/.exec(value)?.[1]?.replace(/^`(.*)`$/, '$1') ?? value;
}
