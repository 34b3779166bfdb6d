import path from 'node:path';
import type { Finding, FindingOf, FoundService, Question } from '../../model/domain/detection.ts';
import { type WayToStart, rank } from './candidates/candidateSource.ts';
import { runtimeOf } from './candidates/runtimeOf.ts';
import { commandFinding } from './candidates/waysToStart.ts';
import { fileRoutes } from './fileRoutes.ts';
import { type FolderFiles, within } from './folderFiles.ts';
import { dataFiles, jsRoutes, jsSources, mentionedPaths } from './jsRoutes.ts';
import { driverOf, prismaSchemas, readManifest, usedPackages } from './nodeManifest.ts';
import { howItLearnsItsPort, noRouteFound, openQuestions, routeFindings, serviceName, startOrder } from './parts.ts';
import { madeDatabase } from './madeDatabase.ts';
import { openApiRoutes } from './openApi.ts';
import { tableFindings } from './migrations.ts';
import { mappedVariables, variableFindings, variablesOf } from './variables.ts';

const frameworks = [
  'express',
  'fastify',
  'koa',
  '@nestjs/core',
  'hono',
  '@hapi/hapi',
  'restify',
  'polka',
  'egg',
  'sails',
  '@adonisjs/core',
  '@loopback/rest',
  '@feathersjs/koa',
  '@feathersjs/express',
  'moleculer-web',
  '@apollo/server',
  'graphql-yoga',
] as const;

/**
 * The Node service of a folder, when its package.json speaks of one: it depends on a web framework, or a file that listens is what its start script or a call of Node
 * runs. `ways`: those
 * to start something, the likeliest first.
 */
export function nodeService(files: FolderFiles, folder: string, ways: readonly WayToStart[]): FoundService | null {
  const name = within(folder, 'package.json');
  const manifest = readManifest(files, folder);
  if (manifest === null) return null;
  const sources = ownSources(files, folder);
  const framework = frameworks.find((one) => manifest.dependencies[one] !== undefined);
  const listens = sources.find((file) => /\bcreateServer\s*\(|\.listen\s*\(/.test(files.source(file)));
  const started = chosenWay(files, folder, ways);
  const isCalled = manifest.name !== undefined && started?.command[0] === 'node';
  const isStarted = manifest.scripts['start'] !== undefined || manifest.main !== undefined || isCalled;
  if (framework === undefined && (listens === undefined || !isStarted)) return null;
  const used = usedPackages(files, folder, manifest);
  const shared = used.flatMap((home) => ownSources(files, home));
  const schemas = [folder, ...used].flatMap((home) => prismaSchemas(files, home));
  const variables = variablesOf(files, folder, [...sources, ...shared, ...schemas]);
  const data = dataFiles(files, folder);
  const known = [
    ...variableFindings([...variables, ...mappedVariables(files, data)]).filter(({ part }) => part !== 'setting'),
    // A size that is not written is seen when a trial finds its variable.
    ...variableFindings(variables).filter(({ part }) => part === 'setting'),
  ];
  const driver = driverOf(files, folder, manifest);
  const usesPostgres = driver !== null;
  const findings: Finding[] = [
    ...(started === undefined ? [] : [commandFinding(started, 'node')]),
    ...(known.some(({ part }) => part === 'port') ? [] : fixedPort(files, sources)),
    ...known.filter(({ part }) => usesPostgres || part !== 'postgres'),
    ...routeFindings([...jsRoutes(files, sources), ...fileRoutes(files, folder), ...openApiRoutes(files, folder)]),
    ...(usesPostgres ? tableFindings(files, folder) : []),
  ];
  const database = usesPostgres ? madeDatabase(files, [...sources, ...shared]) : null;
  const { id, label } = serviceName(manifest.name, folder, files.dir);
  return {
    id,
    label,
    folder,
    because: framework === undefined ? `${listens ?? name} listens` : `${name} depends on ${framework}`,
    findings: startOrder(findings),
    driver,
    ...(database === null ? {} : { database }),
    questions: questionsOf(findings, driver),
    mentions: mentionedPaths(files, [...sources, ...data]),
  };
}

/** The sources of a folder without those of the packages within it. A package.json without a name only says how files are to be read. */
function ownSources(files: FolderFiles, folder: string): string[] {
  const packages = files
    .under(folder)
    .filter((file) => path.posix.basename(file) === 'package.json')
    .map((file) => path.posix.dirname(file))
    .filter((one) => one !== folder && readManifest(files, one)?.name !== undefined);
  return jsSources(files, folder).filter((file) => !packages.some((one) => file.startsWith(`${one}/`)));
}

/** What needs nobody to choose it: the only command that is meant to start something of this folder, else the first plain call of Node. */
function chosenWay(files: FolderFiles, folder: string, ways: readonly WayToStart[]): WayToStart | undefined {
  const own = ways.filter((way) => way.folder === folder && runtimeOf(files, way) === 'node');
  const meant = own.filter((way) => way.rank === rank.meant);
  // “npm start” and “npm run start” are one command.
  const commands = new Set(meant.map(({ command }) => command.filter((word) => word !== 'run').join(' ')));
  return commands.size === 1 ? meant[0] : own.find(({ command }) => command[0] === 'node');
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
  return openQuestions(findings, {
    command: 'How is it started? No file of its says it by a plain call of Node.',
    port: howItLearnsItsPort,
    route: noRouteFound,
    ...(driver === null
      ? {}
      : {
          postgres: `Which variable holds the address of its database? It depends on ${driver}.`,
          setting: `Which variable sets the size of its pool? It depends on ${driver}, and no variable is read for it.`,
          sql: 'What makes its tables? Neither an SQL file nor a migration was found: name files in “sql” of “postgres”, or a command in its “prepare”.',
        }),
  });
}
