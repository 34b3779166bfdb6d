import path from 'node:path';
import { type Finding, type FindingOf, type FoundService, findingsOf } from '../../model/domain/detection.ts';
import { type FolderFiles, within } from './folderFiles.ts';
import { type Manifest, hasProgram, isInstalled, readManifest, usedPackages } from './nodeManifest.ts';
import { sqlFinding } from './sqlFiles.ts';

/** A tool that keeps count of its own migrations: how it is recognised, and how it runs those that are left. */
interface MigrationTool {
  package: string;
  /** A file that only this tool reads, seen from the folder of the service. */
  reads: RegExp;
  /** Behind `npx --no-install`, which runs what is installed and fetches nothing, unless they call Node. */
  words: readonly string[];
  /** What the words apply, where `reads` does not show that it is there. */
  applies?: RegExp;
  /** What makes the tables where there is nothing to apply, or where applying fails. */
  otherwise?: readonly string[];
}

const migration = /(?:^|\/)[^/]*migrat[^/]*\/(?:[^/]+\/)*[^/]+\.(?:[cm]?[jt]s|sql)$/i;

/**
 * Tools whose command to bring a database up to date takes its address from the environment and does nothing where there is nothing to do. A list can only
 * propose: it is a question to a person, and any other tool is named in "prepare" by hand.
 */
const tools: readonly MigrationTool[] = [
  {
    package: 'prisma',
    reads: /^prisma\/migrations\/[^/]+\/migration\.sql$|^(?:prisma\/)?schema\.prisma$|^prisma\/schema\/.+\.prisma$/,
    applies: /^prisma\/(?:schema\/)?migrations\/[^/]+\/migration\.sql$/,
    words: ['prisma', 'migrate', 'deploy'],
    otherwise: ['prisma', 'db', 'push'],
  },
  { package: 'knex', reads: /^knexfile\.[cm]?[jt]s$/, applies: migration, words: ['knex', 'migrate:latest'] },
  {
    package: 'drizzle-kit',
    reads: /^drizzle\.config\.[cm]?[jt]s$/,
    applies: /(?:^|\/)meta\/_journal\.json$/,
    words: ['drizzle-kit', 'migrate'],
    otherwise: ['drizzle-kit', 'push', '--force'],
  },
  {
    package: 'sequelize-cli',
    reads: /^(?:\.sequelizerc|config\/config\.(?:json|[cm]?js))$/,
    applies: migration,
    words: ['sequelize-cli', 'db:migrate'],
  },
  { package: '@mikro-orm/cli', reads: /(?:^|\/)mikro-orm\.config\.[cm]?[jt]s$/, applies: migration, words: ['mikro-orm', 'migration:up'] },
  { package: '@adonisjs/lucid', reads: /^ace(?:\.js)?$/, applies: migration, words: ['node', 'ace', 'migration:run', '--force'] },
  { package: 'node-pg-migrate', reads: /^migrations\/[^/]+\.(?:[cm]?[jt]s|sql)$/, words: ['node-pg-migrate', 'up'] },
  { package: 'db-migrate', reads: /^database\.json$/, applies: /^migrations\/[^/]+\.[jt]s$/, words: ['db-migrate', 'up'] },
];

/** What makes the tables of a service: a tool of its own where there is one, else SQL files. Both would make them twice. */
export function tableFindings(files: FolderFiles, folder: string): (FindingOf<'migrations'> | FindingOf<'sql'>)[] {
  const manifest = readManifest(files, folder);
  const used = manifest === null ? [] : usedPackages(files, folder, manifest);
  for (const home of [folder, ...used]) {
    const migrations = migrationFinding(files, home);
    if (migrations.length === 0) continue;
    const [sql] = sqlFinding(files, folder, used);
    const applied = sql === undefined ? {} : { files: sql.files };
    return migrations.map((one) => {
      const otherwise = { ...one.otherwise, ...applied };
      return runIn({ ...one, ...(Object.keys(otherwise).length === 0 ? {} : { otherwise }) }, path.posix.relative(folder, home));
    });
  }
  return sqlFinding(files, folder, used);
}

/** What makes the tables of a service whose tool failed: another command of it, else SQL files; null where there is nothing else. */
export function madeOtherwise(service: FoundService): FoundService | null {
  const [failed] = findingsOf(service.findings, 'migrations');
  const { command, files } = failed?.otherwise ?? {};
  if (failed === undefined || (command === undefined && files === undefined)) return null;
  const known = { because: `${failed.command.join(' ')} failed`, sure: false };
  const other: Finding =
    command !== undefined
      ? {
          part: 'migrations',
          title: `tables by ${command.join(' ')}`,
          ...known,
          command,
          ...(files === undefined ? {} : { otherwise: { files } }),
        }
      : { part: 'sql', title: `tables from ${(files ?? []).join(', ')}`, ...known, files: files ?? [] };
  return { ...service, findings: service.findings.map((one) => (one === failed ? other : one)) };
}

/** A tool that runs in the folder of another package of the workspace: it looks for its files there. */
function runIn(found: FindingOf<'migrations'>, home: string): FindingOf<'migrations'> {
  if (home === '') return found;
  const there = (command: readonly string[]): string[] => ['sh', '-c', `cd '${home.replaceAll("'", `'\\''`)}' && ${command.join(' ')}`];
  const { otherwise } = found;
  const other = otherwise?.command === undefined ? {} : { otherwise: { ...otherwise, command: there(otherwise.command) } };
  return { ...found, title: `${found.title} in ${home}`, command: there(found.command), ...other };
}

/** How the tables of a Node service are made by a tool of its own, where that is installed; nothing where none is known. */
function migrationFinding(files: FolderFiles, folder: string): FindingOf<'migrations'>[] {
  const manifest = readManifest(files, folder);
  if (manifest === null) return [];
  const own = files.under(folder).map((file) => (folder === '.' ? file : file.slice(folder.length + 1)));
  for (const tool of tools) {
    const read = own.find((file) => tool.reads.test(file));
    const depends = manifest.dependencies[tool.package] !== undefined || manifest.devDependencies[tool.package] !== undefined;
    if (read === undefined || !depends || !isInstalled(files, folder, tool.package)) continue;
    const { applies } = tool;
    const hasOwn = applies === undefined || own.some((file) => applies.test(file));
    const words = hasOwn ? tool.words : tool.otherwise;
    if (words === undefined) continue;
    const called = (those: readonly string[]): string[] => (those[0] === 'node' ? [...those] : ['npx', '--no-install', ...those]);
    return [
      {
        part: 'migrations',
        title: `tables by ${words.join(' ')}`,
        because: `${within(folder, 'package.json')} depends on ${tool.package}, and there is ${within(folder, read)}`,
        sure: false,
        command: called(words),
        ...(hasOwn && tool.otherwise !== undefined ? { otherwise: { command: called(tool.otherwise) } } : {}),
      },
    ];
  }
  return scriptFinding(files, folder, manifest);
}

/** Names of scripts that bring a database up to date, and what such a script does not call: what makes or undoes migrations, and what has an address of its own. */
const migrates = /^(?:(?:db|database|typeorm|orm|knex|sequelize)[:-])?migrat(?:e|ions?)(?:[:-](?:run|up|latest|deploy|all))?$/i;
const otherwiseMeant =
  /\b(?:dev|create|generate|make|new|reset|down|undo|rollback|revert|docker|docker-compose|psql|createdb|dropdb)\b|:\/\//;
/** `node-pg-migrate -m db/migrations up`, `knex migrate:latest`, `sequelize db:migrate`: what a script calls that has another name. */
const callsMigration =
  /\bmigrat\S*\s(?:.*\s)?(?:up|latest|run|deploy)(?=\s|$)|\b(?:db:migrate|migrat\w+:(?:up|latest|run|deploy))(?=\s|$)|\bmigrate\.[cm]?[jt]s(?=\s|$)/i;
/** A script that calls a tool is short; the time that the pattern takes grows with the square of the length. */
const longestCall = 1_000;
/** More commands than one may start the service, or test it. */
const isMore = /[;&|]|\b(?:test|production)\b/;
const program = /^(?:\w+=\S*\s+|(?:cross-env|npx|pnpm|yarn|exec)\s+)*(?:\.\/node_modules\/\.bin\/)?(\S+)/;

/** The script of a tool that is not known, or is not called by its usual words, as a developer calls it. */
function scriptFinding(files: FolderFiles, folder: string, { scripts, dependencies }: Manifest): FindingOf<'migrations'>[] {
  const meant = Object.entries(scripts).filter(([, text]) => !otherwiseMeant.test(text));
  const isCalled = ([, text]: [string, string]): boolean => {
    if (text.length > longestCall) return false;
    const called = program.exec(text)?.[1] ?? '';
    return callsMigration.test(text) && !isMore.test(text) && (called === 'node' || called === 'npm' || hasProgram(files, folder, called));
  };
  const found = meant.find(([name]) => migrates.test(name)) ?? meant.find(isCalled);
  const installed = Object.keys(dependencies).some((one) => isInstalled(files, folder, one));
  if (found === undefined || !installed) return [];
  const [name, text] = found;
  const because = `${within(folder, 'package.json')} has the script ${name} (${text})`;
  return [{ part: 'migrations', title: `tables by npm run ${name}`, because, sure: false, command: ['npm', 'run', name] }];
}
