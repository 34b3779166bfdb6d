import * as z from 'zod';
import { bouncerSchema } from './bouncer.ts';
import { expectationSchema } from './expectation.ts';
import { keysOf } from './keysOf.ts';
import { loadProfileSchema } from './loadProfile.ts';
import { isProbed, runtimes } from './runtimes.ts';
import { lookedUpNameSchema, settingSpecsSchema } from './setting.ts';

export const idSchema = lookedUpNameSchema.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'an id is lower-case letters, digits and dashes, at most 40');
export const runtimeSchema = z.enum(keysOf(runtimes));

/** A parameter in a path or body, `:name`, filled with seeded random integers from `min` to `max`, or with one of `values`. */
export const routeParameterSchema = z.union([
  z
    .strictObject({
      min: z.number().int().default(1).describe('The smallest number.'),
      max: z.number().int().describe('The largest number.'),
    })
    .refine((p) => p.min <= p.max, 'min is above max'),
  z.strictObject({
    values: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(1000)
      .describe('Texts, such as UUIDs or names, of which one is drawn for each request.'),
  }),
]);
export type RouteParameter = z.infer<typeof routeParameterSchema>;

/**
 * A request the target answers. `:name` in `path` and `body` is replaced by what is drawn of that parameter.
 * `weight` is its share in the target's default mix; 0 leaves it out unless it is asked for by name.
 */
export const routeSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('GET unless it says otherwise.'),
  path: z.string().startsWith('/').describe('Path and query; :name is filled with a number or a value of that parameter.'),
  label: z.string().optional().describe('What people call it.'),
  weight: z.number().min(0).default(1).describe('Its share in the mix; 0: only when it is asked for by name.'),
  parameters: z
    .record(z.string(), routeParameterSchema)
    .default({})
    .describe('For each :name in path and body the whole numbers, from min to max, or the values of which one is drawn for each request.'),
  headers: z.record(z.string(), z.string()).default({}).describe('Headers of the request, e.g. {"Authorization": "Bearer …"}.'),
  body: z.string().optional().describe('What is sent; :name is filled as in the path. JSON gets its Content-Type by itself.'),
  expect: expectationSchema
    .optional()
    .describe(
      'What a good answer is. It is looked at when the route is asked first, and under load: statuses of each answer, bodies of as many as 2 % of a core read. An answer that is none counts as an error.',
    ),
  budget: z
    .strictObject({
      statements: z.number().min(0).optional().describe('Statements that one request may send to PostgreSQL.'),
      rows: z.number().min(0).optional().describe('Rows that these may give or change.'),
      p99Ms: z.number().positive().optional().describe('p99 of its latency where it is measured alone, ms.'),
    })
    .optional()
    .describe('What one request may take at the most: the editor marks the handler, and the test of the route fails, where it takes more.'),
  askFirst: z
    .boolean()
    .optional()
    .describe(
      'A GET or a GraphQL query is asked once before it is measured, and a run whose route answers with 4xx, 5xx or GraphQL errors is not begun; false: it is not asked.',
    ),
});
export type Route = z.infer<typeof routeSchema>;

const environmentNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'an environment variable name is letters, digits and underscores');

/** What the target wants from PostgreSQL: under which variable names it reads the address, and SQL files to apply first. */
const targetPostgresSchema = z.strictObject({
  env: z
    .strictObject({
      url: environmentNameSchema.optional().describe('Variable for postgres://user:password@host:port/database.'),
      jdbcUrl: environmentNameSchema
        .optional()
        .describe('Variable for jdbc:postgresql://host:port/database, with user and password where no variable carries these.'),
      r2dbcUrl: environmentNameSchema.optional().describe('Variable for r2dbc:postgresql://user:password@host:port/database.'),
      host: environmentNameSchema.optional().describe('Variable for the host.'),
      port: environmentNameSchema.optional().describe('Variable for the port.'),
      user: environmentNameSchema.optional().describe('Variable for the user.'),
      password: environmentNameSchema.optional().describe('Variable for the password.'),
      database: environmentNameSchema.optional().describe('Variable for the name of the database.'),
    })
    .default({})
    .describe('Which environment variables carry the address of the database.'),
  probe: z
    .boolean()
    .default(false)
    .describe(
      'The probe leads all clients of pg and postgres.js in a Node service, and all connections of JDBC, R2DBC and Vert.x’s client in a JVM, to the database, whatever address the service names: for one that takes it from no variable.',
    ),
  database: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,30}$/)
    .default('benchside')
    .describe('Database name; targets that name the same one share it.'),
  sql: z.array(z.string()).default([]).describe('SQL files, relative to this file, applied once each, in this order.'),
  prepare: z
    .union([
      z.string(),
      z.array(z.string()).min(1),
      z.strictObject({
        command: z
          .array(z.string().min(1))
          .min(1)
          .describe(
            'The service’s own tool for migrations, run before every run and after the SQL files, with the folder and the variables of the service: ["npx", "--no-install", "prisma", "migrate", "deploy"]. It has to do nothing where there is nothing to do.',
          ),
        sql: z
          .union([z.string(), z.array(z.string()).min(1)])
          .optional()
          .describe('SQL files that bring the data back to one state, after it and before each round of a load that writes.'),
      }),
    ])
    .optional()
    .describe(
      'A short SQL file, or several, applied before every run, to bring the data back to one state; or a command that makes the tables, and such files.',
    ),
  bouncer: bouncerSchema
    .optional()
    .describe('A PgBouncer of this machine stands between it and PostgreSQL, and the variables carry the address of that.'),
});

const targetShape = z.strictObject({
  id: idSchema.describe('Its name in commands, e.g. --target my-service.'),
  label: z.string().optional().describe('What people call it; without it, its id.'),
  description: z.string().optional().describe('A sentence about it, for lists.'),
  runtime: runtimeSchema.default('other').describe('“node” and “jvm” are given a probe and recorded in detail; anything else is “other”.'),
  running: z
    .strictObject({ port: z.number().int().min(1).max(65535).describe('The port of 127.0.0.1 on which it listens.') })
    .optional()
    .describe(
      'Instead of a command: it runs already, and its process is found by its port. It is loaded, observed and recorded, and a pool or threads of a JVM are changed while it runs; it is never started, stopped or limited, and keeps its own database.',
    ),
  command: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Program and arguments; no shell reads it. {port} is replaced by the port that was chosen, {java} by the java program, and {arguments}, a word of its own, by the arguments of the settings, which else go to the end. “node” and “java” as the program are those of Benchside’s settings.',
    ),
  java: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The JDK of this target: its folder or its java program, e.g. "/usr/lib/jvm/jdk-21", "~/jdks/21" or "${env:JDK_21}". It is what “java” and {java} in the command mean, and JAVA_HOME of what it starts. Default: benchside.javaPath, JAVA_HOME, the PATH.',
    ),
  cores: z
    .number()
    .min(0.1)
    .max(1024)
    .optional()
    .describe(
      'Cores that each process of it may use, however many there are: by a control group where one may be made, else (whole numbers) by affinity. Linux only. Default: no limit.',
    ),
  cwd: z.string().default('.').describe('The folder in which it runs, relative to this file.'),
  env: z
    .record(environmentNameSchema, z.string())
    .default({})
    .describe('Environment variables beside those of Benchside’s own environment.'),
  port: z
    .strictObject({
      env: environmentNameSchema.optional().describe('Variable that tells it the port that was chosen.'),
      fixed: z
        .number()
        .int()
        .min(1)
        .max(65535)
        .optional()
        .describe('The port that it always uses; then its processes cannot run side by side.'),
      socket: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe(
          'The Unix socket on which it listens in place of a port: its path, relative to cwd. {port} in it is replaced by a number of its own, so that its processes can run side by side. The variable carries the whole path, and so does {socket} in the command.',
        ),
    })
    .refine(({ fixed, socket }) => fixed === undefined || socket === undefined, {
      path: ['socket'],
      message: 'goes with "fixed" not together: it listens on one of the two',
    })
    .default({ env: 'PORT' })
    .describe(
      'How the target learns where to listen: an environment variable, a fixed port that it always uses, or a Unix socket. At which address of this machine it listens, and whether it speaks HTTP or HTTPS, is seen when it is asked.',
    ),
  ready: z
    .strictObject({
      path: z.string().startsWith('/').default('/').describe('What is asked until it is answered well.'),
      timeoutMs: z
        .number()
        .int()
        .min(500)
        .max(600_000)
        .default(60_000)
        .describe('How long it may take to start; time in which the machine has no core for it does not count.'),
    })
    .default({ path: '/', timeoutMs: 60_000 })
    .describe('A request that is answered with 2xx or 3xx once the target is ready.'),
  stopGraceMs: z
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(2_000)
    .describe('How long it may take to end after SIGTERM before it is killed.'),
  routes: z.array(routeSchema).min(1).describe('What it answers; the first one is the default.'),
  settings: settingSpecsSchema.default({}),
  postgres: targetPostgresSchema.optional().describe('Left out by one that needs no PostgreSQL.'),
  documents: z
    .strictObject({
      env: environmentNameSchema.describe('Variable for the store’s address.'),
      path: z.string().startsWith('/').describe('The beginning of the routes that want it.'),
    })
    .optional()
    .describe('A document store (CouchDB’s protocol) is started for routes that begin with `path`; `env` carries its address.'),
  needs: z
    .array(z.enum(['apache-php']))
    .default([])
    .describe('Programs of this machine without which it is not offered.'),
  build: z
    .array(z.array(z.string().min(1)).min(1))
    .optional()
    .describe(
      'Commands that make a fresh copy of the code ready to start, one after the other in cwd, e.g. [["npm","ci"],["npm","run","build"]]; for comparing versions of it. Default: what its lockfile, pom.xml or Gradle build asks for.',
    ),
  requires: z.array(z.string()).default([]).describe('Files that must exist before it can start, relative to cwd, e.g. a jar.'),
  requiresCure: z.string().optional().describe('What to do when one of them is missing.'),
});

/** What of a target says how it is started, and has no meaning for one that runs already. */
const ofItsStart = ['cores', 'postgres', 'documents', 'build'] as const;

/** What brings a target's data to the state that a run begins with: files by their names as they are declared, and the command that goes before them. */
export function preparationOf({ postgres }: Target): { command: string[] | null; sql: string[] } {
  const prepare = postgres?.prepare ?? [];
  if (typeof prepare === 'string' || Array.isArray(prepare)) return { command: null, sql: [prepare].flat() };
  return { command: prepare.command, sql: [prepare.sql ?? []].flat() };
}

/** The one port or socket of all processes of a target, which therefore cannot run side by side. Null where each has its own. */
export function oneListeningPlace({ fixed, socket }: Target['port']): { port: number; socket?: string } | null {
  if (fixed !== undefined) return { port: fixed };
  return socket === undefined || socket.includes('{port}') ? null : { port: 0, socket };
}

/** An app that can be launched and benchmarked, or one that runs already. Paths are relative to the file that declares it. */
export const targetSchema = targetShape
  .refine(({ running, command }) => running !== undefined || command.length > 0, {
    path: ['command'],
    message: 'says how it is started, and is missing',
  })
  .refine(({ running, command }) => running === undefined || command.length === 0, {
    path: ['command'],
    message: 'goes with "running" not together: it runs already',
  })
  .refine((target) => target.running === undefined || ofItsStart.every((key) => target[key] === undefined), {
    path: ['running'],
    message: `goes with none of ${ofItsStart.join(', ')}: it runs already, as it was started`,
  })
  .refine(({ postgres, runtime }) => postgres?.probe !== true || isProbed(runtime), {
    path: ['postgres', 'probe'],
    message: 'is for “node” and “jvm”, which have a probe',
  });
export type Target = z.infer<typeof targetSchema>;

/** The file `benchside.json`: a workspace's own targets, services and load profiles. The bundled samples are declared in the same way. */
export const workspaceFileSchema = z.strictObject({
  $schema: z.string().optional(),
  targets: z.array(targetSchema).default([]).describe('Services that can be started and benchmarked.'),
  postgres: z
    .strictObject({ url: z.string().describe('e.g. postgres://user:password@localhost:5432/postgres') })
    .optional()
    .describe('An external PostgreSQL to use instead of the embedded one.'),
  loadProfiles: z.array(loadProfileSchema).default([]).describe('Load profiles beside the bundled ones.'),
});
export type WorkspaceFile = z.infer<typeof workspaceFileSchema>;
