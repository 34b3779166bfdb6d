import * as z from 'zod';
import type { Finding, FindingOf, FoundService, Question } from '../../model/discovery.ts';
import { seenFrom, within } from './folderFiles.ts';
import type { FolderFiles } from './folderFiles.ts';
import { jsRoutes, jsSources } from './jsRoutes.ts';
import { routeFindings, serviceName, startOrder } from './parts.ts';
import { openApiRoutes } from './openApi.ts';
import { sqlFinding } from './sqlFiles.ts';
import { variableFindings, variablesOf } from './variables.ts';

const words = z.record(z.string(), z.string()).catch({});
const manifestSchema = z.object({
  name: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  scripts: words.default({}),
  dependencies: words.default({}),
  devDependencies: words.default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

const frameworks = ['express', 'fastify', 'koa', '@nestjs/core', 'hono', '@hapi/hapi', 'restify', 'polka'] as const;
const drivers = [
  'pg',
  'postgres',
  'pg-promise',
  'sequelize',
  'knex',
  'typeorm',
  'prisma',
  '@prisma/client',
  'drizzle-orm',
  'slonik',
] as const;

/** The Node service of a folder, when its package.json speaks of one: it depends on a web framework, or its start script runs a file that listens. */
export function nodeService(files: FolderFiles, folder: string): FoundService | null {
  const name = within(folder, 'package.json');
  const manifest = readManifest(files.text(name));
  if (manifest === null) return null;
  const sources = jsSources(files, folder);
  const framework = frameworks.find((one) => manifest.dependencies[one] !== undefined);
  const listens = sources.find((file) => /\bcreateServer\s*\(|\.listen\s*\(/.test(files.source(file)));
  if (framework === undefined && (listens === undefined || (manifest.scripts['start'] === undefined && manifest.main === undefined)))
    return null;
  const variables = variablesOf(files, folder, sources);
  const known = variableFindings(variables);
  const driver = drivers.find((one) => manifest.dependencies[one] !== undefined) ?? null;
  const usesPostgres = driver !== null;
  const findings: Finding[] = [
    ...commandOf(files, folder, name, manifest),
    ...(known.some(({ part }) => part === 'port') ? [] : fixedPort(files, sources)),
    ...known.filter(({ part }) => usesPostgres || part !== 'postgres'),
    ...routeFindings([...jsRoutes(files, sources), ...openApiRoutes(files, folder)]),
    ...(usesPostgres ? sqlFinding(files, folder) : []),
  ];
  const { id, label } = serviceName(manifest.name, folder, files.dir);
  return {
    id,
    label,
    folder,
    because: framework === undefined ? `${listens ?? name} listens` : `${name} depends on ${framework}`,
    findings: startOrder(findings),
    driver,
    questions: questionsOf(findings, driver),
  };
}

function readManifest(text: string | null): Manifest | null {
  if (text === null) return null;
  try {
    const read = manifestSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** How it is started: the start script where that is a plain call of Node, else what a Procfile, `main` or a debugger’s configuration says. */
function commandOf(files: FolderFiles, folder: string, manifestFile: string, manifest: Manifest): FindingOf<'command'>[] {
  const candidates = [
    ...['start', 'start:prod', 'serve'].map((script) => ({
      text: manifest.scripts[script],
      because: `${manifestFile}: scripts.${script}`,
    })),
    { text: /^web:\s*(.+)$/m.exec(files.text(within(folder, 'Procfile')) ?? '')?.[1], because: `${within(folder, 'Procfile')}: web` },
    { text: manifest.main === undefined ? undefined : `node ${manifest.main}`, because: `${manifestFile}: main` },
    ...launchPrograms(files, folder).map((program) => ({ text: `node ${program}`, because: '.vscode/launch.json' })),
  ];
  for (const { text, because } of candidates) {
    const command = text === undefined ? null : plainNode(text);
    if (command === null) continue;
    const program =
      command.find((word, index) => index > 0 && /\.[cm]?[jt]s$/.test(word) && !(command[index - 1] ?? '').startsWith('-')) ?? null;
    const built = program !== null && /^(?:\.\/)?(?:dist|build|out)\//.test(program);
    return [
      {
        part: 'command',
        title: command.join(' '),
        because,
        sure: true,
        runtime: 'node',
        command,
        requires: [...(built ? [program] : []), ...(Object.keys(manifest.dependencies).length === 0 ? [] : ['node_modules'])],
        requiresCure: `Run “${installing(files, folder)}”${built ? ' and “npm run build”' : ''} in ${places(folder)}.`,
      },
    ];
  }
  return [];
}

/** What installs by which lockfile; the first that is there counts. */
const installers = [
  ['package-lock.json', 'npm ci'],
  ['npm-shrinkwrap.json', 'npm ci'],
  ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn install'],
] as const;

/** What installs its dependencies: as its lockfile, or that of the workspace around it, asks for; “npm ci” needs one. */
function installing(files: FolderFiles, folder: string): string {
  const known = installers.find(([lockfile]) => files.has(within(folder, lockfile)) || files.has(lockfile));
  return known?.[1] ?? 'npm install';
}

function places(folder: string): string {
  return folder === '.' ? 'this folder' : folder;
}

/** The words of a call of Node that needs no shell; runners of TypeScript become Node with their loader. Null for anything else. */
function plainNode(text: string): string[] | null {
  if (/[|&;<>$`*?(){}\\'"]/.test(text)) return null;
  const all = text.trim().split(/\s+/);
  const variables = all.findIndex((word) => !/^[A-Za-z_]\w*=\S*$/.test(word) && word !== 'cross-env');
  const [program, ...rest] = all.slice(Math.max(0, variables));
  if (program === 'node') return rest.length === 0 ? null : ['node', ...rest.filter((word) => word !== '--watch')];
  if (program === 'nodemon') return rest.length === 0 ? null : ['node', ...rest];
  if (program === 'tsx') return ['node', '--import', 'tsx', ...rest.filter((word) => word !== 'watch')];
  if (program === 'nest' && rest[0] === 'start') return ['node', 'dist/main.js'];
  return null;
}

function launchPrograms(files: FolderFiles, folder: string): string[] {
  const text = files.text('.vscode/launch.json') ?? '';
  return [...text.matchAll(/"program"\s*:\s*"\$\{workspaceFolder\}\/([^"$]+\.[cm]?js)"/g)]
    .map(([, program = '']) => program)
    .filter((program) => folder === '.' || program.startsWith(`${folder}/`))
    .map((program) => seenFrom(folder, program));
}

function fixedPort(files: FolderFiles, sources: readonly string[]): FindingOf<'port'>[] {
  for (const file of sources) {
    const text = files.source(file);
    const match =
      /\.listen\s*\(\s*(?:\{\s*port\s*:\s*)?(\d{2,5})\b/.exec(text) ?? /\b(?:const|let|var)\s+port\s*=\s*(\d{2,5})\b/i.exec(text);
    const port = Number(match?.[1]);
    if (match !== null && port >= 1 && port <= 65_535)
      return [
        {
          part: 'port',
          title: `always port ${port}`,
          because: `${file}:${files.lineAt(file, match.index)} listens on it`,
          sure: true,
          port: { fixed: port },
        },
      ];
  }
  return [];
}

function questionsOf(findings: readonly Finding[], driver: string | null): Question[] {
  const has = (part: Finding['part']): boolean => findings.some((one) => one.part === part);
  const asked = (part: Question['part'], text: string): Question => ({ part, text });
  return [
    ...(has('command')
      ? []
      : [asked('command', 'How is it started? Neither package.json nor a Procfile says it in a way that needs no shell.')]),
    ...(has('port') ? [] : [asked('port', 'How does it learn its port? PORT is assumed.')]),
    ...(has('route') ? [] : [asked('route', 'What does it answer? No route was found in its sources.')]),
    ...(driver !== null && !has('postgres')
      ? [asked('postgres', `Which variable holds the address of its database? It depends on ${driver}.`)]
      : []),
    ...(driver !== null && !findings.some((one) => one.part === 'setting' && one.name === 'pool')
      ? [asked('setting', `Which variable sets the size of its pool? It depends on ${driver}, and no variable is read for it.`)]
      : []),
    ...(driver !== null && has('postgres') && !has('sql') ? [asked('sql', 'Which SQL files make its tables? None was found.')] : []),
  ];
}
