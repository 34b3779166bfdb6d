import * as z from 'zod';
import { defined } from './defined.ts';
import { failureSchema } from './failure.ts';
import { type Target, idSchema, routeSchema, runtimeSchema, targetSchema } from './target.ts';
import { onOneLine } from './plainText.ts';
import { settingSpecSchema } from './setting.ts';

/** A finding in a file of the user, and its place: how it is known, in a phrase that follows "because of". */
const knownShape = {
  /** As a list of what was found names it, such as `GET /orders/:id`. */
  title: z.string(),
  /** How it is known, such as "package.json: scripts.start". */
  because: z.string(),
  /** Whether the file says so explicitly; the user should check what is only likely. */
  sure: z.boolean(),
  /** Whether it was seen when the service ran. */
  seen: z.boolean().optional(),
};

const postgresEnv = targetSchema.shape.postgres.unwrap().shape.env;

const placeSchema = z.object({ file: z.string(), line: z.number().int() });

/** One thing that was found out about a service, as it would be declared. */
export const findingSchema = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('command'),
    ...knownShape,
    runtime: runtimeSchema,
    command: z.array(z.string()).min(1),
    /** Environment variables that it gets in addition to Benchside’s own environment. */
    env: z.record(z.string(), z.string()).optional(),
    requires: z.array(z.string()),
    requiresCure: z.string().nullable(),
  }),
  z.object({
    part: z.literal('port'),
    ...knownShape,
    port: z.union([z.object({ env: z.string() }), z.object({ fixed: z.number().int() })]),
  }),
  z.object({
    part: z.literal('ready'),
    ...knownShape,
    path: z.string(),
    /** How long it may take to start, where that is more than usual, ms. */
    timeoutMs: z.number().int().optional(),
  }),
  z.object({
    part: z.literal('route'),
    ...knownShape,
    route: routeSchema,
    /** Where a file of the folder says it: a path relative to the folder, with slashes, and a line from 1. */
    place: placeSchema.optional(),
    /** Where another file has the function that answers it. */
    handler: placeSchema.optional(),
    /** Whether a library of the app answers it rather than the app’s own code. */
    ofLibrary: z.literal(true).optional(),
  }),
  z.object({ part: z.literal('setting'), ...knownShape, name: z.string(), spec: settingSpecSchema }),
  z.object({
    part: z.literal('postgres'),
    ...knownShape,
    env: postgresEnv,
    probe: z.literal(true).optional().describe('the probe leads its clients there'),
    database: z.string().optional().describe('what its own code calls the database'),
  }),
  z.object({ part: z.literal('sql'), ...knownShape, files: z.array(z.string()).min(1) }),
  z.object({
    part: z.literal('migrations'),
    ...knownShape,
    command: z.array(z.string()).min(1),
    otherwise: z
      .object({ command: z.array(z.string()).min(1).optional(), files: z.array(z.string()).min(1).optional() })
      .optional()
      .describe('what makes the tables where the command fails: another command, else SQL files'),
  }),
]);
export type Finding = z.infer<typeof findingSchema>;
export type FindingOf<P extends Finding['part']> = Extract<Finding, { part: P }>;

/** What could not be found out about a part of a service. */
const questionSchema = z.object({
  part: z.enum(['command', 'port', 'ready', 'route', 'setting', 'postgres', 'sql']),
  text: z.string(),
  setting: z.enum(['pool', 'threads']).optional().describe('which one a question about a setting is about'),
});
export type Question = z.infer<typeof questionSchema>;

export const foundServiceSchema = z.object({
  id: idSchema,
  label: z.string(),
  /** Its folder, relative to the one that was looked through; "." is that folder. */
  folder: z.string(),
  /** How it is known to be one, such as "package.json depends on express". */
  because: z.string(),
  findings: z.array(findingSchema),
  /** The package by which it speaks to PostgreSQL; null where none is known. */
  driver: z.string().nullable(),
  /** What its own code calls the database that it makes. */
  database: z.string().optional(),
  /** What could not be found out, each as a question to a person. */
  questions: z.array(questionSchema),
  /** Texts in its sources that can be paths of its routes; nobody has requested them. */
  mentions: z.array(z.string()).max(200).optional(),
  /** The packages of its sources in Java, Kotlin and the like, without those within another. */
  packages: z.array(z.string()).max(50).optional(),
});
export type FoundService = z.infer<typeof foundServiceSchema>;

/** A command in a file of the folder that starts something; it was not started. */
const candidateSchema = z.object({
  file: z.string(),
  /** From 1. */
  line: z.number().int(),
  /** The place in the file, such as "scripts.start". */
  what: z.string(),
  /** The port on which that says it listens; null where it says none. */
  port: z.number().nullable(),
  /** What is started so, with its command and what else is known of it. */
  service: foundServiceSchema,
});
export type Candidate = z.infer<typeof candidateSchema>;

export const detectionSchema = z.object({
  services: z.array(foundServiceSchema),
  /** The likeliest first, each command once. */
  candidates: z.array(candidateSchema),
  /** What was not read, such as a file that is too large; empty as a rule. */
  notes: z.array(z.string()),
});
export type Detection = z.infer<typeof detectionSchema>;

/** What is known of a service once it was started: what its files say, with what was seen. */
export const introspectionSchema = z.object({
  service: foundServiceSchema,
  /** What else a person should know, a sentence each. */
  remarks: z.array(z.string()),
  /** Why it did not come up; what its files say is then all that is known. */
  problem: failureSchema.nullable(),
});
export type Introspection = z.infer<typeof introspectionSchema>;

export function findingsOf<P extends Finding['part']>(findings: readonly Finding[], part: P): FindingOf<P>[] {
  return findings.filter((finding): finding is FindingOf<P> => finding.part === part);
}

/** npm asks its registry now and then whether there is a newer npm, which is no business of the service. */
export const npmQuiet = { npm_config_update_notifier: 'false' } as const;

/** The variables of a command without those that Benchside adds to every call of npm. */
export function ownVariables({ env = {} }: FindingOf<'command'>): [name: string, value: string][] {
  return Object.entries(env).filter(([name]) => !Object.hasOwn(npmQuiet, name));
}

/** The words of a command without the place of its arguments. */
export function plainWords({ command }: FindingOf<'command'>): string[] {
  return command.filter((word) => word !== '{arguments}');
}

/** The variables through which a service receives these parts. */
export function variablesNamed(finding: Finding): string[] {
  if (finding.part === 'port') return 'env' in finding.port ? [finding.port.env] : [];
  if (finding.part === 'postgres') return Object.values(finding.env).filter((name) => name !== undefined);
  return finding.part === 'setting' && finding.spec.env !== undefined ? [finding.spec.env] : [];
}

/** The candidates of those folders in which no service was found that can be started. */
export function openCandidates({ services, candidates }: Pick<Detection, 'services' | 'candidates'>): Candidate[] {
  const known = services.filter(({ findings }) => findingsOf(findings, 'command').length > 0).map(({ folder }) => folder);
  return candidates.filter(({ service }) => !known.includes(service.folder));
}

/** A candidate in a line: its command, its folder, and where the command was found. */
export function candidatePhrase({ service }: Candidate): string {
  const [command] = findingsOf(service.findings, 'command');
  const where = service.folder === '.' ? '' : ` in ${service.folder}`;
  return onOneLine(`${command?.title ?? ''}${where}  (${service.because})`);
}

/** Why a service cannot be declared with these findings yet; null when it can. */
export function lacking(findings: readonly Finding[]): string | null {
  if (findingsOf(findings, 'command').length === 0) return 'How it is started is not known.';
  return findingsOf(findings, 'route').length === 0 ? 'No route of it is known.' : null;
}

/** What is started to introspect a service, and what else is done, a line each: what a person agrees to. */
export function startPhrase({ label, folder, driver, findings }: FoundService): string[] {
  const [command] = findingsOf(findings, 'command');
  if (command === undefined) return [];
  const variables = ownVariables(command).map(([name]) => name);
  const sql = findingsOf(findings, 'sql').flatMap(({ files }) => files).length;
  const [migrations] = findingsOf(findings, 'migrations');
  const files = `${sql === 0 ? '' : `, with ${sql === 1 ? 'its SQL file' : `its ${sql} SQL files`} applied`}${migrations === undefined ? '' : `, after ${migrations.command.join(' ')}`}`;
  return [
    `${label}: ${plainWords(command).join(' ')}${folder === '.' ? '' : ` in ${folder}`}${variables.length === 0 ? '' : `, with ${variables.join(', ')} set`}`,
    ...(driver === null && findingsOf(findings, 'postgres').length === 0
      ? []
      : [`on a database of its own in Benchside’s PostgreSQL${files}`]),
    'each GET route is asked once',
  ].map((line) => onOneLine(line));
}

/** A service that was found where it runs already. */
export interface RunningAt {
  runtime: Target['runtime'];
  port: number;
  /** How it is known. */
  because: string;
}

/** The declaration of a service that runs already. It uses only the findings about requests, since the user starts the service. */
export function runningTarget(
  { id, label }: Pick<FoundService, 'id' | 'label'>,
  findings: readonly Finding[],
  { runtime, port }: RunningAt,
): z.input<typeof targetSchema> | null {
  const routes = findingsOf(findings, 'route');
  if (routes.length === 0) return null;
  return {
    id,
    label,
    runtime,
    running: { port },
    ready: { path: readyPath(findings) },
    routes: routes.map(({ route }) => plainRoute(route)),
  };
}

function readyPath(findings: readonly Finding[]): string {
  const [ready] = findingsOf(findings, 'ready');
  return ready?.path ?? findingsOf(findings, 'route')[0]?.route.path.replace(/:[A-Za-z_]\w*/g, '1') ?? '/';
}

/** What a service of these findings is declared as; the first of a part counts where there can be one only. */
export function declaredTarget(service: FoundService, findings: readonly Finding[]): z.input<typeof targetSchema> | null {
  const [command] = findingsOf(findings, 'command');
  // Two routers may have the same route, each below a path that no file says.
  const known = new Map(findingsOf(findings, 'route').map(({ route }) => [`${route.method} ${route.path}`, plainRoute(route)]));
  const routes = [...known.values()];
  if (command === undefined || routes.length === 0) return null;
  const [port] = findingsOf(findings, 'port');
  const timeoutMs = findingsOf(findings, 'ready')[0]?.timeoutMs;
  const [postgres] = findingsOf(findings, 'postgres');
  const sql = findingsOf(findings, 'sql').flatMap(({ files }) => files);
  const [migrations] = findingsOf(findings, 'migrations');
  const settings = Object.fromEntries(findingsOf(findings, 'setting').map(({ name, spec }) => [name, spec]));
  return {
    id: service.id,
    label: service.label,
    runtime: command.runtime,
    command: command.command,
    ...defined({ cwd: service.folder === '.' ? undefined : service.folder, env: filled(command.env) }),
    port: port?.port ?? { env: 'PORT' },
    ready: { path: readyPath(findings), ...defined({ timeoutMs }) },
    routes,
    ...defined({ settings: filled(settings) }),
    ...(postgres === undefined
      ? {}
      : {
          postgres: {
            ...defined({ env: filled(postgres.env), probe: postgres.probe }),
            database: postgres.database ?? service.database ?? service.id.replaceAll('-', '_').replace(/^(\d)/, 'db_$1').slice(0, 31),
            ...(sql.length === 0 && migrations !== undefined ? {} : { sql }),
            ...(migrations === undefined ? {} : { prepare: { command: migrations.command } }),
          },
        }),
    ...defined({ requires: filled(command.requires), requiresCure: command.requiresCure ?? undefined }),
  };
}

/** Without what equals the defaults. */
function plainRoute({ method, path, weight, parameters, headers, body, label }: Target['routes'][number]): z.input<typeof routeSchema> {
  const [own, share] = [method === 'GET' ? undefined : method, weight === 1 ? undefined : weight];
  return defined({ method: own, path, label, weight: share, parameters: filled(parameters), headers: filled(headers), body });
}

/** Undefined where nothing is in it. */
function filled<T extends object>(value: T | undefined): T | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}
