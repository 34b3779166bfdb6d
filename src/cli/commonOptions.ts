import path from 'node:path';
import { isServiceUrl } from '../model/domain/generator.ts';
import { serverModes } from '../model/domain/userServer.ts';
import { type Values, flag, many, one, orNull } from './options.ts';
import { choice, word, wrong } from './values.ts';

/** What every command takes. Only the command line says where k6 and its operator are: a file of a workspace could name a cluster that is not meant. */
export const commonOptions = {
  json: flag('--json', 'print one JSON document on standard output'),
  workspace: one('--workspace <dir>', 'folder of benchside.json and of the runs (default: this folder)', word),
  node: one('--node <path>', 'the Node.js that runs Node targets (default: the one on the PATH)', word),
  java: one('--java <path>', 'the java that runs Java targets, or its home folder (default: JAVA_HOME, or the one on the PATH)', word),
  postgresUrl: one('--postgres-url <url>', 'a PostgreSQL server of your own instead of the one that comes along', word),
  postgresMode: one(
    '--postgres-mode <mode>',
    'what is done on your server: own (work in databases made for it, the default), named (apply the SQL files in the database of the URL) or read-only (apply nothing)',
    choice(serverModes),
  ),
  allowSql: many('--allow-sql <host:port/database>', 'apply SQL files to this database of yours (mode named) without asking', word),
  allowHosts: many('--allow-host <host>', 'use a PostgreSQL server on this other machine; remembered', word),
  k6: one('--k6 <path>', 'the k6 of this machine (default: BENCHSIDE_K6, or the one on the PATH)', word),
  k6Context: one('--k6-context <name>', 'the context of kubectl for --generator k6-operator', word),
  k6Namespace: one('--k6-namespace <name>', 'the namespace for --generator k6-operator', word),
  k6Url: one(
    '--k6-url <address>',
    'where the pods of --generator k6-operator ask the service: in the cluster, or on this machine, e.g. http://192.168.0.5:{port}',
    serviceUrl,
  ),
};

/** What every command is given of these. */
export type CommonOptions = ReturnType<typeof commonOf>;

export function commonOf(values: Values<typeof commonOptions>) {
  const { workspace, postgresMode, k6, k6Context, k6Namespace, k6Url, ...rest } = values;
  return {
    ...orNull(rest),
    workspace: workspace ?? process.cwd(),
    postgresMode: postgresMode ?? 'own',
    k6: orNull({ path: k6, context: k6Context, namespace: k6Namespace, url: k6Url }),
  };
}

/** What an engine is started with for a command. */
export function engineParams(given: CommonOptions, assetsDir: string, storageDir: string) {
  return {
    client: 'cli' as const,
    workspaceDir: path.resolve(given.workspace),
    storageDir,
    assetsDir,
    trusted: true,
    nodePath: given.node,
    javaPath: given.java,
    postgresUrl: given.postgresUrl,
    postgresMode: given.postgresMode,
  };
}

function serviceUrl(text: string, name: string): string {
  if (isServiceUrl(text)) return text.replace(/\/$/, '');
  throw wrong(`${name} “${text}”: an address such as http://my-service:8080 or http://192.168.0.5:{port} is needed, without a path.`);
}
