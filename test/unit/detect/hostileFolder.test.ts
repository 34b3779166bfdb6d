import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-hostile-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const bytes = 500_000;
/** Repeats a text until a file is as large as may be read. */
const filled = (piece: string): string => piece.repeat(Math.floor(bytes / piece.length));
const blanks = ' '.repeat(bytes / 3);

const node = JSON.stringify({ name: 'x', main: 'a.js', dependencies: { express: '5', pg: '8' } });
const pom = (inner: string): string =>
  `<project><artifactId>a</artifactId><dependency>jetty-server postgresql</dependency>${inner}</project>`;
const spring = pom('<version>1</version>spring-boot-starter-web spring-boot-starter-jdbc');
const java = '@RestController class A {}';

const hostile: Record<string, Record<string, string>> = {
  'an import of blanks': { 'package.json': node, 'a.js': `import${blanks}a${blanks}b` },
  'imports without a source': { 'package.json': node, 'a.js': filled('import a ') },
  'imports from nowhere': { 'package.json': node, 'a.js': filled("import a from './b';") },
  'declarations without a value': { 'package.json': node, 'a.js': filled('var a ') },
  'one endless identifier': { 'package.json': node, 'a.js': filled('a$') },
  'strings that do not end': { 'package.json': node, 'a.js': filled("\\'") },
  'quotes of every kind': { 'package.json': node, 'a.js': filled('\'"`\\') },
  'comments that do not end': { 'package.json': node, 'a.js': filled('/*') },
  'routes with a method and no path': { 'package.json': node, 'a.js': `x.route({${filled("method:'a' ")}` },
  'routes in masses': { 'package.json': node, 'a.js': filled("a.get('/a')\n") },
  'mounts in masses': { 'package.json': node, 'a.js': filled("a.use('/a',require('./b'));"), 'b.js': filled("a.get('/:id')\n") },
  'a mount of blanks': { 'package.json': node, 'a.js': `a.use('/a', b${blanks}c${blanks}` },
  'a chain that does not end': { 'package.json': node, 'a.js': `a.route('/a').get(${filled('(a)')}` },
  'controllers that do not end': { 'package.json': node, 'a.ts': filled('@Controller(') },
  'an annotation of blanks': { 'package.json': node, 'a.ts': `@Controller('a')@Get(${blanks}x` },
  'a path of slashes': { 'package.json': node, 'a.js': `a.get('/${filled('/')}x/')` },
  'a path of open groups': { 'package.json': node, 'a.js': `a.get('/${filled(':a(')}')` },
  'variables in masses': { 'package.json': node, 'a.js': Array.from({ length: 25_000 }, (_, i) => `process.env.A${i}\n`).join('') },
  'a variable without end': { 'package.json': node, 'a.js': `process.env.${filled('POOL')}` },
  'an example of blanks': { 'package.json': node, 'a.js': '', '.env.example': `A=x${blanks}y${blanks}z` },
  'a tag of blanks': { 'pom.xml': pom(`<version>${blanks}${blanks}x`), 'A.java': java },
  'tags that do not end': { 'pom.xml': pom(filled('<version>')), 'A.java': java },
  'elements that do not end': { 'pom.xml': pom(filled('<build>')), 'A.java': java },
  'comments of XML that do not end': { 'pom.xml': pom(filled('<!--')), 'A.java': java },
  'properties in masses': { 'pom.xml': pom(`<version>${filled('${a}')}</version>`), 'A.java': java },
  'a version of empty lines': { 'build.gradle': `jetty-server\n${filled('\n')}x`, 'A.java': java },
  'a catalog in masses': {
    'build.gradle.kts': filled('libs.a.b '),
    'gradle/libs.versions.toml': `[libraries]\n${filled('a-b = { group = "\n')}`,
    'A.java': java,
  },
  'a version of blanks': { 'build.gradle': `jetty-server\nversion${blanks}${blanks}x`, 'A.java': java },
  'verbs of JAX-RS in masses': { 'pom.xml': pom(''), 'A.java': `import jakarta.ws.rs.GET; class A {${filled('@GET "a" ')}` },
  'servlets that do not end': { 'pom.xml': pom(''), 'A.java': filled('.addServlet(') },
  'mappings that do not end': { 'pom.xml': pom(''), 'A.java': `${java}${filled('@GetMapping(produces={')}` },
  'servlets of the web that do not end': { 'pom.xml': pom(''), 'A.java': filled('@WebServlet(value') },
  'groups in masses': { 'pom.xml': pom(''), 'A.java': `import io.javalin.A; ${filled('path("a", () -> {')}` },
  'groups within groups': { 'pom.xml': pom(''), 'A.java': `import io.javalin.A; ${filled('path("a",{get("/b")')}${'})'.repeat(30_000)}` },
  'functions that call each other': {
    'pom.xml': pom(''),
    'A.kt': `import io.ktor.server.A\n${Array.from({ length: 500 }, (_, i) => `fun a${i}() { a${(i * 7) % 500}(); a${(i * 11) % 500}(); get("/b") }`).join('\n')}`,
  },
  'functions without a block': { 'pom.xml': pom(''), 'A.kt': `import io.ktor.server.A\n${filled('fun a(')}` },
  'texts that are joined': { 'pom.xml': pom(''), 'A.kt': `import io.ktor.server.A\nget(${filled('"a"+')}` },
  'nested keys': { 'pom.xml': spring, 'A.java': java, 'src/main/resources/application.yml': '? '.repeat(300) },
  'nested keys behind a key': { 'package.json': node, 'a.js': '', 'openapi.yaml': `openapi: ${'? '.repeat(300)}` },
  'nested keys behind a tag': { 'package.json': node, 'a.js': '', 'openapi.yaml': `a: !!map &a ${'? '.repeat(300)}` },
  'tags without end': { 'package.json': node, 'a.js': '', 'openapi.yaml': '!<? '.repeat(30_000) },
  'nested keys in brackets': { 'pom.xml': spring, 'A.java': java, 'src/main/resources/application.yml': '[? '.repeat(300) },
  'nested lists': { 'pom.xml': spring, 'A.java': java, 'src/main/resources/application.yml': '- '.repeat(5_000) },
  'nested brackets': { 'package.json': node, 'a.js': '', 'openapi.yaml': '['.repeat(5_000) },
  'a deep description': {
    'package.json': node,
    'a.js': '',
    'openapi.yaml': Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  },
  'properties of blanks': { 'pom.xml': spring, 'A.java': java, 'src/main/resources/application.properties': `a=x${blanks}y${blanks}z` },
  'paths in masses': {
    'package.json': node,
    'a.js': '',
    'openapi.json': JSON.stringify({
      openapi: '3',
      paths: Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`/a${i}`, { get: {} }])),
    }),
  },
};

describe('a folder that somebody has written to hold up whoever looks through it', () => {
  it.each(Object.entries(hostile))('is looked through in no time: %s', { timeout: 20_000 }, (_what, files) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), text);
    }
    const before = process.cpuUsage();
    detectServices(dir);
    expect(cpuMsSince(before)).toBeLessThan(1_000);
  });

  it('is read up to a sum of bytes, and says so', { timeout: 60_000 }, () => {
    writeFileSync(path.join(dir, 'package.json'), node);
    const text = filled('const a = 1; // what is it for\n');
    for (let index = 0; index < 60; index += 1) writeFileSync(path.join(dir, `source-${index}.js`), text);
    expect(detectServices(dir).notes.join()).toContain('Only 16 MiB were read');
  });
});
