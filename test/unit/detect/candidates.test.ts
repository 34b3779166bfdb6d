import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { type Candidate, findingsOf } from '../../../src/model/domain/detection.ts';
import { zipArchive } from '../../support/zipArchive.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';
import { writeFiles } from '../../support/writeFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-candidates-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string | Buffer>>): void {
  writeFiles(dir, files);
}

function commandOf({ service }: Candidate) {
  const [command] = findingsOf(service.findings, 'command');
  if (command === undefined) throw new Error('a candidate without a command');
  return command;
}

/** Place, folder and command of each, in a line. */
function found(files: Readonly<Record<string, string | Buffer>>): string[] {
  write(files);
  return detectServices(dir).candidates.map((one) => {
    const { folder } = one.service;
    return `${one.file}:${one.line}${folder === '.' ? '' : ` in ${folder}`}: ${commandOf(one).command.join(' ')}`;
  });
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const jar = (manifest: string): Buffer => zipArchive({ 'META-INF/MANIFEST.MF': manifest, 'a/Main.class': 'class' });

describe('package.json', () => {
  it('starts what its scripts run, but no test, check or build, and none that npm runs by itself', () => {
    const scripts = {
      prestart: 'node prepare.js',
      prepare: 'husky',
      build: 'tsc',
      test: 'vitest',
      dev: 'next dev',
      serve: 'A=1 node src/serve.mjs --port $PORT',
      start: 'next start',
      'start:prod': 'tsc && node dist/main.js',
    };
    expect(found({ 'package.json': json({ name: 'site', scripts }) })).toEqual([
      'package.json:10: npm run start',
      'package.json:11: npm run start:prod',
      'package.json:9: node src/serve.mjs --port {port}',
      'package.json:8: npm run dev',
    ]);
    const commands = detectServices(dir).candidates.map(commandOf);
    expect(commands.map(({ env }) => env)).toEqual([
      { npm_config_update_notifier: 'false' },
      { npm_config_update_notifier: 'false' },
      { A: '1' },
      { npm_config_update_notifier: 'false' },
    ]);
  });

  it('starts the scripts of each package of a workspace, which needs no packages of its own beside those around it', () => {
    mkdirSync(path.join(dir, 'node_modules'));
    const files = {
      'package.json': json({ name: 'root', workspaces: ['apps/*'], scripts: { lint: 'eslint .' } }),
      'apps/api/package.json': json({ name: '@acme/api', scripts: { start: 'node run.js' }, dependencies: { 'some-server': '1' } }),
      'apps/api/run.js': `require('some-server').start(process.env.PORT)`,
    };
    expect(found(files)).toEqual(['apps/api/package.json:4 in apps/api: node run.js']);
    const [one] = detectServices(dir).candidates;
    expect(one && commandOf(one).requires).toEqual([]);
    expect(one?.service).toMatchObject({ id: 'api', folder: 'apps/api' });
  });

  it('needs no packages of its own where the folder that is searched lies in a workspace', () => {
    const files = {
      'apps/api/package.json': json({ name: 'api', main: 'run.js', dependencies: { express: '5' } }),
      'apps/api/run.js': `require('express')().get('/a', h).listen(process.env.PORT)`,
      'node_modules/other/package.json': '{}',
    };
    writeFiles(dir, files);
    const requires = () =>
      detectServices(path.join(dir, 'apps/api')).services.map((one) => findingsOf(one.findings, 'command')[0]?.requires);
    expect(requires()).toEqual([['node_modules']]);
    writeFiles(dir, { 'node_modules/express/package.json': '{}' });
    expect(requires()).toEqual([[]]);
  });

  it('starts nodemon itself where a file says that it starts something else than Node', () => {
    const scripts = { start: 'nodemon src/app.js' };
    const files = {
      'a/package.json': json({ name: 'a', scripts }),
      'b/package.json': json({ name: 'b', scripts }),
      'b/nodemon.json': json({ execMap: { js: 'node -r sucrase/register' } }),
      'c/package.json': json({ name: 'c', scripts, nodemonConfig: { exec: 'ts-node' } }),
      'd/package.json': json({ name: 'd', scripts, nodemonConfig: { ext: 'js,json' } }),
      'e/package.json': json({ name: 'e', scripts: { start: 'nodemon' } }),
      'e/nodemon.json': json({ exec: 'ts-node ./src/app.ts', watch: ['src'] }),
      'e/node_modules/ts-node/package.json': '{}',
    };
    expect(found(files).map((one) => one.replace(/^.* in /, ''))).toEqual([
      'a: node src/app.js',
      'b: npm run start',
      'c: npm run start',
      'd: node src/app.js',
      'e: node -r ts-node/register ./src/app.ts',
    ]);
  });

  it('starts what a script runs after it has started containers, without these, and a test last', () => {
    const scripts = {
      test: 'npm run up && concurrently "next dev" "jest"',
      up: 'docker compose up -d',
      dev: 'npm run up && npm run wait && next dev',
      'dev:api': 'docker-compose up -d db && tsx watch src/api.ts',
      'dev:seed': 'docker compose up -d && node seed.js',
      commit: 'cz',
      wait: 'node infra/wait-for-postgres',
      start: 'tsc && next start',
    };
    expect(found({ 'package.json': json({ name: 'news', scripts }) })).toEqual([
      'package.json:11: npm run start',
      'package.json:6: npx --no-install next dev',
      'package.json:6: npm run dev',
      'package.json:7: node --require tsx/preflight --import tsx src/api.ts',
      'package.json:7: npm run dev:api',
      'package.json:4: npm run test',
    ]);
  });

  it('starts what was built first where all scripts are for development', () => {
    const scripts = { dev: 'vite dev', build: 'vite build', preview: 'vite preview' };
    const files = {
      'kit/package.json': json({ name: 'kit', scripts }),
      'kit/build/index.js': '',
      'kit/build/server/index.js': '',
      'nitro/package.json': json({ name: 'nitro', scripts }),
      'nitro/.output/server/index.mjs': '',
      'page/package.json': json({ name: 'page', scripts: { ...scripts, start: 'serve dist' } }),
      'page/dist/server/entry.mjs': '',
      'static/package.json': json({ name: 'static', scripts: { dev: 'vite' } }),
      'static/dist/assets/index.js': '',
    };
    expect(found(files)).toEqual([
      'page/package.json:7 in page: npm run start',
      'kit/build/index.js:1 in kit: node build/index.js',
      'nitro/.output/server/index.mjs:1 in nitro: node .output/server/index.mjs',
      'kit/package.json:4 in kit: npm run dev',
      'kit/package.json:6 in kit: npm run preview',
      'nitro/package.json:4 in nitro: npm run dev',
      'nitro/package.json:6 in nitro: npm run preview',
      'page/package.json:4 in page: npm run dev',
      'page/package.json:6 in page: npm run preview',
      'static/package.json:4 in static: npm run dev',
    ]);
    const [, , nitro] = detectServices(dir).candidates;
    expect(nitro && commandOf(nitro).requires).toEqual(['.output/server/index.mjs']);
  });

  it.each(['dist/index.js', './dist/index'])('starts last what a build has left out of its folder: %s', (program) => {
    const scripts = { dev: 'tsx watch src/index.ts', start: `node ${program}` };
    const files = { 'package.json': json({ name: 'api', scripts, dependencies: { hono: '4' } }), 'src/index.ts': '' };
    const chosen = (more: Readonly<Record<string, string>>): string | undefined => {
      write({ ...files, ...more });
      return findingsOf(detectServices(dir).services[0]?.findings ?? [], 'command')[0]?.command.join(' ');
    };
    const developed = 'node --require tsx/preflight --import tsx src/index.ts';
    const built = `node ${program}`;
    expect(chosen({})).toBe(built);
    expect(chosen({ 'dist/src/index.js': '' })).toBe(developed);
    expect(chosen({ 'dist/index.js': '' })).toBe(built);
  });

  it('starts what Nest starts where a build wrote its program below the folder of its sources', () => {
    const scripts = { start: 'nest start', 'start:prod': 'node dist/main' };
    const files = { 'package.json': json({ name: 'api', scripts, dependencies: { '@nestjs/core': '11' } }), 'src/main.ts': '' };
    expect(found(files)).toEqual(['package.json:4: node dist/main.js', 'package.json:5: node dist/main']);
    expect(found({ 'dist/src/main.js': '' })).toEqual(['package.json:4: node dist/src/main.js', 'package.json:5: node dist/main']);
    expect(findingsOf(detectServices(dir).services[0]?.findings ?? [], 'command')[0]?.command).toEqual(['node', 'dist/src/main.js']);
  });

  it('starts what main and bin name where no script does, where that is there', () => {
    expect(
      found({
        'package.json': json({ main: 'lib', bin: { thing: './cli.js', gone: 'gone.js' }, scripts: { test: 'jest' } }),
        'lib/index.js': '',
        'cli.js': '',
      }),
    ).toEqual(['package.json:2: node lib/index.js', 'package.json:4: node cli.js']);
  });

  it('is not needed for the only program of a folder, nor for one that is called as what is started', () => {
    expect(found({ 'odd.mjs': '', 'odd.test.mjs': '', 'vite.config.js': '' })).toEqual(['odd.mjs:1: node odd.mjs']);
    expect(found({ 'other.js': '', 'src/server.js': '' })).toEqual(['src/server.js:1: node src/server.js']);
  });

  it('gives each command once, with every place that names it', () => {
    write({
      'package.json': json({ scripts: { start: 'node a.js' } }),
      Procfile: 'web: node a.js\nrelease: node migrate.js\nworker: node w.js --n=$COUNT\n',
      'a.js': '',
    });
    const { candidates } = detectServices(dir);
    expect(candidates.map((one) => [commandOf(one).command, commandOf(one).because])).toEqual([
      [['node', 'a.js'], 'package.json:3: scripts.start; Procfile:1: web'],
      [['sh', '-c', 'node w.js --n=$COUNT'], 'Procfile:3: worker'],
    ]);
  });
});

describe('a build of Java', () => {
  const pom = (plugins: string, more = ''): string => `<project><artifactId>a</artifactId>
    <!-- <build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build> -->
    <build><pluginManagement><plugins><plugin><artifactId>jetty-maven-plugin</artifactId></plugin></plugins></pluginManagement>
    <plugins>${plugins}</plugins></build>${more}</project>`;

  it('starts by those jars whose manifest names a class, and by what Quarkus has made', () => {
    expect(
      found({
        'pom.xml': pom(''),
        'target/app-1.0.jar': jar(
          'Manifest-Version: 1.0\r\nMain-Class: org.acme.with.a.very.long.name.which.goes.on.over.mo\r\n re.Main\r\n',
        ),
        'target/library-1.0.jar': jar('Manifest-Version: 1.0\r\n'),
        'target/original-app-1.0.jar': jar('Main-Class: a.Main\n'),
        'target/broken.jar': 'no archive at all',
        'target/quarkus-app/quarkus-run.jar': jar('Main-Class: io.quarkus.bootstrap.runner.QuarkusEntryPoint\n'),
        'part/build.gradle.kts': '',
        'part/build/libs/part.jar': jar('Main-Class: part.MainKt\n'),
      }),
    ).toEqual([
      'target/app-1.0.jar:1: java {arguments} -jar target/app-1.0.jar',
      'target/quarkus-app/quarkus-run.jar:1: java {arguments} -jar target/quarkus-app/quarkus-run.jar',
      'part/build/libs/part.jar:1 in part: java {arguments} -jar build/libs/part.jar',
    ]);
    expect(detectServices(dir).candidates[0]?.what).toBe('Main-Class: org.acme.with.a.very.long.name.which.goes.on.over.more.Main');
  });

  it('starts by the goals of the plugins that its pom builds with, and by no development mode', () => {
    const plugin = (name: string, inner = ''): string => `<plugin><groupId>g</groupId><artifactId>${name}</artifactId>${inner}</plugin>\n`;
    expect(
      found({
        mvnw: '',
        'pom.xml': pom(plugin('spring-boot-maven-plugin') + plugin('quarkus-maven-plugin') + plugin('exec-maven-plugin')),
        'web/pom.xml': pom(plugin('exec-maven-plugin', '<configuration><mainClass>a.B</mainClass></configuration>')),
      }),
    ).toEqual(['pom.xml:4: ./mvnw -B spring-boot:run', 'web/pom.xml:4 in web: ../mvnw -B exec:java']);
  });

  it('knows the packages of its sources, whichever class starts it', () => {
    write({
      'pom.xml': pom(''),
      'src/main/java/shop/Main.java': 'package shop;\n\nclass Main { public static void main(String[] a) {} }\n',
      'src/main/kotlin/shop/App.kt': 'package shop\n\nfun module() {}\n',
      'src/main/java/shop/items/Item.java': '/* package nowhere; */\npackage shop.items;\n\npublic class Item {}\n',
      'src/main/java/other/Other.java': 'package other;\n\nclass Other {}\n',
      'src/test/java/tests/ItTest.java': 'package tests;\n\nclass ItTest {}\n',
    });
    expect(detectServices(dir).candidates[0]?.service.packages).toEqual(['other', 'shop']);
  });

  it('starts by the tasks of the plugins that its Gradle build applies', () => {
    expect(
      found({
        gradlew: '',
        'settings.gradle': `include 'web', 'tool'`,
        'build.gradle': `plugins {\n  id 'org.springframework.boot' version '4.0.0' apply false\n}`,
        'web/build.gradle': `// id 'application'\nplugins {\n  id 'org.springframework.boot'\n  id 'java'\n}`,
        'tool/build.gradle.kts': 'plugins {\n  kotlin("jvm")\n  application\n}',
        'library/build.gradle': `plugins { id 'java-library' }\napplication_name = 'x'`,
      }),
    ).toEqual([
      'tool/build.gradle.kts:3: ./gradlew --no-daemon --console=plain :tool:run',
      'web/build.gradle:3: ./gradlew --no-daemon --console=plain :web:bootRun',
    ]);
  });

  it('starts by the scripts of what was unpacked, as its README calls them', () => {
    expect(
      found({
        'bin/kc.sh': '#!/bin/sh\nexec "$JAVA" -jar lib/run.jar "$@"\n',
        'bin/kcadm.sh': 'exec java -cp client.jar Admin\n',
        'bin/plain.sh': 'echo nothing\n',
        'lib/lib/main/org.postgresql.postgresql-42.7.4.jar': '',
        'README.md': 'To try it out:\n\n    $ bin/kc.sh start-dev\n\nor bin\\kc.bat start-dev\n\n    $ bin/other.sh x\n',
      }),
    ).toEqual(['README.md:3: bin/kc.sh start-dev', 'bin/kc.sh:1: bin/kc.sh', 'bin/kcadm.sh:1: bin/kcadm.sh']);
    const [first] = detectServices(dir).candidates;
    expect(first && commandOf(first).runtime).toBe('jvm');
    expect(first?.service.driver).toBe('postgresql');
  });
});

describe('what is made for containers', () => {
  it('starts what its last stage says, where that is a file of this folder, with its variables', () => {
    const files = {
      Dockerfile: [
        'FROM node:22 AS base',
        'WORKDIR /app',
        'ENV NODE_ENV=production \\',
        '    GREETING="good day"',
        'FROM scratch as other',
        'CMD ["/only/in/the/image"]',
        'FROM base',
        '# a comment',
        'EXPOSE 8080',
        'ENTRYPOINT ["/sbin/tini", "--", "node"]',
        'CMD ["/app/server.js", "--quiet"]',
      ].join('\n'),
      'server.js': '',
      'other.js': '',
    };
    expect(found(files)).toEqual(['Dockerfile:11: node server.js --quiet', 'server.js:1: node server.js']);
    const [first] = detectServices(dir).candidates;
    expect(first).toMatchObject({ port: 8080 });
    expect(first && commandOf(first).env).toEqual({ NODE_ENV: 'production', GREETING: 'good day' });
  });

  it('starts nothing that only the image has', () => {
    expect(found({ Dockerfile: 'FROM x\nENTRYPOINT ["java","-jar","/app.jar"]', 'a.txt': '' })).toEqual([]);
    expect(found({ Dockerfile: 'FROM x\nCMD /usr/bin/thing --serve', 'a.txt': '' })).toEqual([]);
  });

  it('starts what compose builds here, with what it sets: what names the port, the pool or PostgreSQL is that', () => {
    const files = {
      'docker-compose.yml': `
services:
  db:
    image: postgres:18
  web:
    build: { context: ./web }
    command: node main.js
    environment:
      SERVER_PORT: 8080
      APP_DB_URL: postgres://me:secret@db/app
      DB_POOL_SIZE: "12"
      MODE: \${MODE:-fast}
      TOKEN: \${TOKEN}
    ports: ["80:8080"]
`,
      'web/Dockerfile': 'FROM node\nCMD ["node", "other.js"]',
      'web/main.js': '',
      'web/other.js': '',
    };
    expect(found(files).slice(0, 2)).toEqual(['web/Dockerfile:2 in web: node other.js', 'docker-compose.yml:5 in web: node main.js']);
    const one = detectServices(dir).candidates[1];
    expect(one?.port).toBe(8080);
    expect(one && commandOf(one).env).toEqual({ MODE: 'fast' });
    expect(one?.service.findings).toMatchObject([
      { part: 'command' },
      { part: 'port', port: { env: 'SERVER_PORT' } },
      { part: 'postgres', env: { url: 'APP_DB_URL' } },
      { part: 'setting', name: 'pool', spec: { env: 'DB_POOL_SIZE', default: 12 } },
    ]);
  });
});

describe('what else says how something is started', () => {
  it('is a launch configuration, with comments, its folder, arguments and variables', () => {
    expect(
      found({
        '.vscode/launch.json': `{
  // the service
  "configurations": [
    { "type": "node", "request": "attach", "name": "Attach", "port": 9229 },
    { "type": "node", "request": "launch", "name": "API", "program": "\${workspaceFolder}/api/run.js", "args": ["-v"], "cwd": "\${workspaceFolder}/api", "env": { "A": "1" }, },
    { "type": "node", "request": "launch", "name": "Tests", "runtimeExecutable": "npm", "runtimeArgs": ["run", "test"] },
    { "type": "node", "request": "launch", "name": "This file", "program": "\${file}" },
    { "type": "java", "request": "launch", "name": "Main", "mainClass": "a.Main" },
  ]
}`,
        'api/run.js': '',
      }),
    ).toEqual(['.vscode/launch.json:5 in api: node run.js -v']);
  });

  it('is an ecosystem of pm2, in JSON or YAML and not as a program', () => {
    const app = { name: 'web', script: 'web/run.js', args: '--a 1', env: { A: 1 }, env_production: { B: 'x' } };
    expect(
      found({
        'ecosystem.json': json({ apps: [app, { script: 'npm', args: ['start'] }] }),
        'more/pm2.yml': 'apps:\n  - name: w\n    script: ./w.sh\n    interpreter: bash\n',
        'ecosystem.config.js': 'throw new Error("not to be run")',
      }).filter((line) => !line.startsWith('ecosystem.config.js')),
    ).toEqual(['ecosystem.json:5: node web/run.js --a 1', 'ecosystem.json:15: npm start', 'more/pm2.yml:3 in more: bash ./w.sh']);
    const [first] = detectServices(dir).candidates.filter(({ file }) => file === 'ecosystem.json');
    expect(first && commandOf(first).env).toEqual({ A: '1', B: 'x' });
  });
});

describe('files that somebody has made to hold up whoever reads them', () => {
  const bytes = 500_000;
  const filled = (piece: string): string => piece.repeat(Math.floor(bytes / piece.length));
  const deep = Array.from({ length: 900 }, (_, index) => `${' '.repeat(index)}a:`).join('\n');
  const hostile: Record<string, Record<string, string | Buffer>> = {
    'scripts in masses': {
      'package.json': JSON.stringify({
        scripts: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`s${i}`, `npm run s${i + 1}`])),
      }),
    },
    'a script that calls itself in two ways': { 'package.json': JSON.stringify({ scripts: { a: filled('npm run a && npm run a && ') } }) },
    'a script of quotes': { 'package.json': JSON.stringify({ scripts: { a: filled(`"'\\\\`) } }) },
    'a manifest of brackets': { 'package.json': filled('{"scripts":') },
    'a compose file that is deep': { 'compose.yaml': deep },
    'a compose file of brackets': { 'compose.yaml': `services: ${'['.repeat(5_000)}` },
    'a compose file of services': {
      'compose.yaml': `services:\n${filled('  a:\n    build: .\n')}`,
      Dockerfile: 'CMD ["node","a.js"]',
      'a.js': '',
    },
    'a Dockerfile that goes on and on': { Dockerfile: filled('CMD a \\\n') },
    'a Dockerfile of stages': { Dockerfile: filled('FROM a AS a\nENV A=b\n') },
    'a Dockerfile of blanks': { Dockerfile: `ENTRYPOINT ${' '.repeat(bytes / 2)}x${' '.repeat(bytes / 2)}` },
    'launch configurations that are deep': { '.vscode/launch.json': filled('[') },
    'launch configurations in masses': { '.vscode/launch.json': `{"configurations":[${filled('{"type":"node","request":"launch"},')}]}` },
    'a pom that is deep': { 'pom.xml': filled('<project>') },
    'a pom of plugins': { 'pom.xml': `<project><build><plugins>${filled('<plugin><artifactId>exec-maven-plugin</artifactId></plugin>')}` },
    'a Gradle build of plugins': { 'build.gradle': filled(`id 'application`) },
    'a Gradle build of blanks': { 'build.gradle': `plugins {${' '.repeat(bytes)}` },
    'a Procfile of blanks': { Procfile: `web:${' '.repeat(bytes / 2)}x${' '.repeat(bytes / 2)}` },
    'a Procfile of processes': { Procfile: filled('web: node a.js $X\n') },
    'an ecosystem that is deep': { 'pm2.json': filled('[') },
    'a README of calls': { 'README.md': filled('bin/a.sh x\n'), 'bin/a.sh': 'java', 'lib/a.jar': '' },
    'files of ten megabytes': {
      'package.json': Buffer.alloc(10_000_000, '{'),
      Dockerfile: Buffer.alloc(10_000_000, 'CMD x\n'),
      'compose.yml': Buffer.alloc(10_000_000, '- '),
      'target/a.jar': Buffer.alloc(10_000_000, 'PK'),
      'pom.xml': Buffer.alloc(10_000_000, '<'),
    },
    'jars in masses': {
      'pom.xml': '',
      ...Object.fromEntries(
        Array.from({ length: 200 }, (_, i) => [`target/${i}.jar`, zipArchive({ 'META-INF/MANIFEST.MF': filled('a') })]),
      ),
    },
  };

  it.each(Object.entries(hostile))('are looked through in no time: %s', { timeout: 20_000 }, (_what, files) => {
    write(files);
    const before = process.cpuUsage();
    const { candidates } = detectServices(dir);
    expect(cpuMsSince(before)).toBeLessThan(2_000);
    expect(candidates.length).toBeLessThanOrEqual(60);
  });

  it('start nothing outside of the folder, by no link and no path', () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'benchside-outside-'));
    try {
      mkdirSync(path.join(outside, 'target'));
      writeFileSync(path.join(outside, 'a.js'), '');
      writeFileSync(path.join(outside, 'target/a.jar'), jar('Main-Class: a.B\n'));
      write({
        'package.json': json({ main: `../${path.basename(outside)}/a.js`, bin: path.join(outside, 'a.js') }),
        'pom.xml': '',
        'compose.yml': 'services:\n  a:\n    build: ..\n    command: node a.js\n',
        'pm2.json': json({ apps: [{ script: 'a.js', cwd: outside }] }),
      });
      symlinkSync(path.join(outside, 'target'), path.join(dir, 'target'));
      expect(detectServices(dir).candidates).toEqual([]);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('are the main methods of a Maven project, on the class path that was built or by Maven', () => {
    const main = 'package shop.web;\n\n// public static void main(\npublic class Main {\n  public static void main(String[] args) {}\n}\n';
    const sources = {
      'pom.xml': '<project/>',
      'src/main/java/shop/web/Main.java': main,
      'src/main/java/shop/web/Other.java': 'package shop.web; class Other {}',
      'src/test/java/shop/web/Try.java': main,
    };
    expect(found(sources)).toEqual(['src/main/java/shop/web/Main.java:5: mvn -B compile exec:java -Dexec.mainClass=shop.web.Main']);
    expect(found({ 'target/classes/shop/web/Main.class': '', 'target/lib/a.jar': '' })).toEqual([
      'src/main/java/shop/web/Main.java:5: java {arguments} -cp target/classes:target/lib/* shop.web.Main',
    ]);
  });
});
