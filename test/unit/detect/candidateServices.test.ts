import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { findingsOf, openCandidates } from '../../../src/model/domain/detection.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-candidates-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string | Buffer>>): void {
  writeFiles(dir, files);
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe('a service', () => {
  it('that was found but not how it is started has the ways of its folder, with what was found of it', () => {
    write({
      'package.json': json({ name: 'shop', scripts: { serve: 'cd src && node a.js' }, dependencies: { express: '5', pg: '8' } }),
      'src/a.js': `app.get('/items', h); new Pool({ max: process.env.PG_MAX }); app.listen(process.env.PORT)`,
    });
    const [one] = openCandidates(detectServices(dir));
    expect(one?.service.id).toBe('shop');
    expect(one?.service.driver).toBe('pg');
    expect(one?.service.findings.map(({ title }) => title)).toEqual([
      'npm run serve',
      'port from PORT',
      'pool size from PG_MAX, 10 is assumed',
      'GET /items',
    ]);
  });

  it('that can be started as it was found leaves nothing open', () => {
    write({ 'package.json': json({ main: 'a.js', dependencies: { express: '5' } }), 'a.js': `app.get('/a', h)` });
    const found = detectServices(dir);
    expect(found.services).toHaveLength(1);
    expect(openCandidates(found)).toEqual([]);
  });

  it('is what a given command starts, with its variables and what the folder says of it', () => {
    write({ 'a.js': `serve(process.env.PORT, process.env.DATABASE_URL)`, 'node_modules/pg/package.json': '{}' });
    const { services, candidates } = detectServices(dir, ['LEVEL=2', 'node', 'a.js', '--x=1']);
    expect(candidates).toEqual([]);
    expect(services[0]).toMatchObject({ driver: 'pg', because: 'as it was given', folder: '.' });
    expect(services[0]?.findings).toMatchObject([
      { part: 'command', runtime: 'node', command: ['node', 'a.js', '--x=1'], env: { LEVEL: '2' } },
      { part: 'port', port: { env: 'PORT' } },
      { part: 'postgres', env: { url: 'DATABASE_URL' } },
    ]);
  });

  it.each([
    ['a jar', ['java', '-jar', 'stubs.jar']],
    ['a package', ['node', 'stubs.js']],
  ])('that answers from files has the paths that these mention, without those of its settings: %s', (_which, command) => {
    write({
      'package.json': json({ exports: '/not-this' }),
      'tsconfig.build.json': json({ paths: '/nor-this' }),
      'stubs.js': '',
      'stubs.jar': '',
      'stubs/mappings/parcels.json': json({ request: { method: 'GET', urlPath: '/parcels' } }),
      'stubs/more.yaml': "- url: '/parcels/7'",
    });
    expect(detectServices(dir, command).services[0]?.mentions).toEqual(['/parcels', '/parcels/7']);
  });

  it('in Scala or Groovy has the variables that its sources read by name', () => {
    write({
      'pom.xml': '<project><artifactId>countries</artifactId></project>',
      'src/main/scala/Main.scala':
        'pool.setJdbcUrl(sys.env("DATABASE_JDBC_URL"))\nsetMaximumPoolSize(sys.env.getOrElse("DATABASE_POOL_SIZE", "16").toInt)\nsys.env.get("HTTP_PORT")',
      'groovy/pom.xml': '<project><artifactId>g</artifactId></project>',
      'groovy/a.groovy': 'listen(System.getenv("PORT"))',
    });
    const parts = detectServices(dir, ['java', '-jar', 'a.jar']).services[0]?.findings;
    expect(parts).toMatchObject([
      { part: 'command' },
      { part: 'port', port: { env: 'PORT' }, because: 'groovy/a.groovy:1 reads PORT', sure: true },
      { part: 'setting', name: 'pool', spec: { env: 'DATABASE_POOL_SIZE', default: 16 } },
    ]);
    rmSync(path.join(dir, 'groovy'), { recursive: true });
    expect(detectServices(dir, ['java', '-jar', 'a.jar']).services[0]?.findings[1]).toMatchObject({
      port: { env: 'HTTP_PORT' },
      because: 'src/main/scala/Main.scala:3 reads HTTP_PORT',
      sure: true,
    });
  });

  it('that is given is the service within whose folder a word of the command lies', () => {
    write({
      'api/package.json': json({ name: 'api', main: 'a.js', dependencies: { express: '5', pg: '8' } }),
      'api/a.js': `app.get('/a', h)`,
      'web/package.json': json({ name: 'web', main: 'b.js', dependencies: { express: '5' } }),
      'web/b.js': `app.get('/b', h)`,
    });
    const given = (...command: string[]) => {
      const [service] = detectServices(dir, command).services;
      return [service?.id, service?.folder, ...findingsOf(service?.findings ?? [], 'route').map(({ route }) => route.path)];
    };
    expect(given('node', 'api/a.js')).toEqual(['api', '.', '/a']);
    expect(given('node', path.join(dir, 'web/b.js'))).toEqual(['web', '.', '/b']);
    expect(given('npm', '--prefix=./web', 'start')).toEqual(['web', '.', '/b']);
    expect(given('node', 'apis/a.js')[0]).not.toBe('api');
    expect(given('java', '-jar', 'api/a.jar')[0]).not.toBe('api');
  });

  it('of Spring Boot is one by its build and the class that starts it, whatever its starters are called', () => {
    const spring = (more: string): string => `<project><parent><artifactId>spring-boot-starter-parent</artifactId></parent>
      <artifactId>clinic</artifactId><version>4</version><dependency><artifactId>${more}</artifactId></dependency></project>`;
    const main = '@SpringBootApplication class App { void main() { SpringApplication.run(App.class); } }';
    write({
      'pom.xml': spring('spring-boot-starter-yet-unknown'),
      'src/main/java/App.java': main,
      'library/pom.xml': spring('spring-boot-starter-data-jdbc'),
      'library/src/main/java/Table.java': 'class Table {}',
      'plain/pom.xml': '<project><artifactId>plain</artifactId><dependency>spring-boot-starter-json</dependency></project>',
      'plain/src/main/java/App.java': main,
    });
    expect(detectServices(dir).services.map(({ folder, because }) => [folder, because])).toEqual([
      ['.', 'pom.xml depends on spring-boot-starter-yet-unknown'],
    ]);
  });
});
