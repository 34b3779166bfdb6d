import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { detectionSchema } from '../../../src/model/domain/detection.ts';
import type { Chance } from './chance.ts';
import { changedBytes, randomBytes, tokensOf } from './mutate.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Small services as their files say them; each is one input: every file with its name before it. */
const services: readonly Readonly<Record<string, string>>[] = [
  {
    'package.json': '{"name":"@a/b","scripts":{"start":"node a.js"},"dependencies":{"express":"5","pg":"8"}}',
    'a.js': `import b from './b';\nconst { c } = require('./b');\n// app.get('/old', x);\napp.use('/b', d, b);\napp.route('/r').get(x).post((y) => z(y));\napp.listen(process.env.PORT || 3000);\nconst { PG_MAX = 4 } = process.env;`,
    'b.js': `fastify.route({ method: 'GET', url: '/u' });\nfastify.register(x, { prefix: '/p' });\nrouter.get('/:id(\\\\d+)', one);\nnew Router({ prefix: '/k' });`,
    'c.ts': `@Controller('cats')\nclass C { @Get(':id') one() {} }\napp.setGlobalPrefix('api');`,
    '.env.example': "export DATABASE_URL = 'postgres://x'\nPOOL_SIZE=8\n",
    Procfile: 'web: node a.js\n',
    'openapi.yaml': 'openapi: 3.0.0\nservers:\n  - url: http://a/v1\npaths:\n  /x/{id}:\n    get: {}\n    "post": [a, {b: c}]\n',
  },
  {
    'pom.xml':
      '<project><!-- c --><parent><version>1</version></parent><artifactId>a</artifactId><version>${v}</version><properties><v>2</v></properties><dependencies><dependency>spring-boot-starter-web spring-boot-starter-jdbc postgresql</dependency></dependencies><build><finalName>f</finalName></build></project>',
    'src/A.java': `@RestController @RequestMapping("/a") class A {\n@GetMapping({"/b", "/c"}) void b() {}\n@RequestMapping(value = "/d", method = RequestMethod.POST) void d() {}\n}`,
    'src/B.java': `import jakarta.ws.rs.GET;\n@Path("/x") class B { @GET @Path("y") String y() {} }\nx.addServlet(z, "/s/*");\n@WebServlet(urlPatterns = {"/w"})`,
    'src/main/resources/application.yml':
      'spring:\n  datasource:\n    hikari:\n      maximum-pool-size: ${P:10}\nserver: {port: 80}\n---\na: b\n',
  },
  {
    'build.gradle': "version = '1'\nimplementation 'org.eclipse.jetty:jetty-server:12'\n",
    'settings.gradle': "rootProject.name = 'g'\n",
    'A.kt': 'getOrDefault("POOL_SIZE", "8")\nSystem.getenv("PORT")',
    'src/main/resources/application.properties': 'server.port: 80\n',
    'db/001_schema.sql': 'create table a ();',
  },
  {
    Procfile: 'web: PORT=80 node a.js --b "c d"\nworker: sh -c \'node w.js\'\n',
    Dockerfile:
      '# syntax=docker/dockerfile:1\nARG V=20\nFROM node:${V} AS b\nWORKDIR /app\nENV PORT=80 A="b c" \\\n  D=e\nFROM b\nEXPOSE 80/tcp\nENTRYPOINT ["node", "a.js"]\nCMD --c d\n',
    'compose.yaml':
      'x-a: &a\n  environment: {PORT: "80", PG: $P}\nservices:\n  api:\n    <<: *a\n    build: {context: ., dockerfile: Dockerfile}\n    command: [node, a.js]\n    ports:\n      - "3000:80"\n      - {target: 80, published: 81}\n  db:\n    image: postgres\n    env_file: .env\n',
    '.env': 'PORT=80\nPG="postgres://a:b@c/d"\n',
    '.vscode/launch.json':
      '{\n  // a\n  "configurations": [\n    {"type": "node", "request": "launch", "name": "a", "program": "${workspaceFolder}/a.js", "args": ["b"], "env": {"PORT": "80"}, "runtimeArgs": ["-r", "c"]},\n    {"type": "java", "request": "launch", "mainClass": "a.B", "vmArgs": "-Xmx1g"},\n  ],\n}\n',
    'ecosystem.config.json': '{"apps": [{"name": "a", "script": "a.js", "args": "b c", "node_args": ["-r", "d"], "env": {"PORT": 80}}]}\n',
    'ecosystem.config.yaml': 'apps:\n  - script: a.js\n    env: &e {PORT: 80}\n    env_production: *e\n',
    'a.js': 'require("http").createServer(b).listen(process.env.PORT);\n',
  },
  {
    'package.json':
      '{"name":"w","workspaces":["a/*"],"scripts":{"start":"NODE_ENV=x node -r ./b . | cat","dev":"nodemon a.js && tsc -w","serve":"npm run dev -- --c"},"prisma":{"seed":"node s.js"},"dependencies":{"@prisma/client":"6","knex":"3"}}',
    'a/b/package.json': '{"name":"@w/b","main":"c","bin":{"d":"c.js"},"dependencies":{"pg":"8"}}',
    'a/b/c.js': 'export default fastify().get("/e/:f", g);\n',
    'pnpm-lock.yaml': 'lockfileVersion: "9.0"\n',
    'prisma/schema.prisma': 'datasource db { provider = "postgresql"\n url = env("P") }\n',
    'pom.xml':
      '<project><modules><module>a</module></modules><build><plugins><plugin><artifactId>exec-maven-plugin</artifactId><configuration><mainClass>a.B</mainClass></configuration></plugin></plugins></build><profiles/></project>',
    'a/pom.xml': '<project><parent><artifactId>p</artifactId></parent><artifactId>a</artifactId></project>',
    'src/main/java/a/B.java': 'package a; public class B { public static void main(String[] c) { } }\n',
    'build.gradle.kts': 'plugins { application; id("org.springframework.boot") version "3" }\napplication { mainClass.set("a.B") }\n',
  },
];

const mark = '\u0001';
const seeds = services.map((files) =>
  encoder.encode(
    Object.entries(files)
      .map(([name, text]) => `${mark}${name}\n${text}`)
      .join(''),
  ),
);

/** What the scanners turn on; any of it may come many times in a row. */
const pieces = [
  ' ',
  '\n',
  '\t',
  '"',
  "'",
  '`',
  '\\',
  '/*',
  '*/',
  '//',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '<!--',
  '<version>',
  '<build>',
  '</version>',
  '${a}',
  '? ',
  '- ',
  '[? ',
  '{a: ',
  '&a ',
  '*a ',
  '!!x ',
  '| ',
  'import ',
  "from './b' ",
  'var a ',
  'a.get(',
  "a.get('/a')",
  ".route('/a')",
  ".use('/a',",
  '@Get(',
  '@GetMapping(',
  '@GET ',
  '@Path("',
  '.addServlet(',
  '@WebServlet(',
  'process.env.A',
  'POOL_',
  ':a(',
  '/',
  ',',
  ';',
  '=',
  '\ufeff',
  '\u0000',
];
const tokens = tokensOf(...pieces);

/** A folder of which files have other bytes, or in which a piece is repeated up to ten thousand times. */
export function makeFolder(chance: Chance): Uint8Array {
  if (chance.once(16)) return encoder.encode(`${mark}package.json\n${decoder.decode(randomBytes(chance, 400))}`);
  let input: Uint8Array = chance.one(seeds);
  for (let left = 1 + chance.below(3); left > 0; left -= 1) {
    if (!chance.once(3)) {
      input = changedBytes(input, chance, tokens);
      continue;
    }
    const many = encoder.encode(
      `${chance.once(2) ? chance.one(pieces) : ''}${chance.one(pieces)}`.repeat(1 + chance.below(chance.once(50) ? 10_000 : 200)),
    );
    const at = chance.below(input.length + 1);
    const longer = new Uint8Array(input.length + many.length);
    longer.set(input.subarray(0, at));
    longer.set(many, at);
    longer.set(input.subarray(at), at + many.length);
    input = longer;
  }
  return input;
}

const memory = mkdtempSync(path.join(tmpdir(), 'benchside-fuzz-folder-'));
process.once('exit', () => rmSync(memory, { recursive: true, force: true }));
const names = new Set(services.flatMap((files) => Object.keys(files)));

/** Writes the folder and looks through it: whatever is there is no failure. What is said of it must be what is promised. */
export function readFolder(input: Uint8Array, thorough: boolean): 'read' | 'refused' {
  rmSync(memory, { recursive: true, force: true });
  mkdirSync(memory);
  for (const part of decoder.decode(input).split(mark).slice(1)) {
    const end = part.indexOf('\n');
    const name = part.slice(0, Math.max(0, end));
    if (!names.has(name)) continue;
    mkdirSync(path.dirname(path.join(memory, name)), { recursive: true });
    writeFileSync(path.join(memory, name), part.slice(end + 1));
  }
  const found = detectServices(memory);
  if (thorough) detectionSchema.parse(found);
  return found.services.length > 0 ? 'read' : 'refused';
}
