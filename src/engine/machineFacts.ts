import { readdirSync } from 'node:fs';
import path from 'node:path';
import packageManifest from '../../package.json' with { type: 'json' };
import type { CheckResult, InitializeParams } from '../model/protocol.ts';
import type { Environment } from '../model/run.ts';
import { hashFiles, readEnvironment } from './observe/fingerprint.ts';
import { checkMachine } from './observe/machineCheck.ts';
import { findPostgres } from './services/postgresBinaries.ts';
import { runTool } from './supervise/runTool.ts';
import type { Supervisor } from './supervise/supervisor.ts';
import type { Toolchain } from './targets/toolchain.ts';

/** What reading this machine needs of the engine. */
export interface FactSources {
  params: InitializeParams;
  supervisor: Supervisor;
  toolchain: Toolchain;
}

export interface MachineFactsReader {
  check(): Promise<CheckResult[]>;
  environment(facts: { postgresVersion: string | null; postgresSettings: Record<string, string> }): Promise<Environment>;
}

/** Reads what this machine is and has; versions are asked of the programs themselves. */
export function machineFacts({ params, supervisor, toolchain }: FactSources): MachineFactsReader {
  const tool = (argv: readonly string[], cwd = '/'): Promise<string | null> => runTool(supervisor, argv, { cwd });
  const nodeVersion = async (): Promise<string> => {
    if (toolchain.node === process.execPath) return process.versions.node;
    return (await tool([toolchain.node, '--version']))?.trim().replace(/^v/, '') ?? 'unknown';
  };
  const javaVersion = async (): Promise<string | null> => {
    const text = toolchain.java === null ? null : await tool([toolchain.java, '-version']);
    return /version "([^"]+)"/.exec(text ?? '')?.[1] ?? null;
  };
  const gitDir = params.workspaceDir ?? params.assetsDir;
  return {
    async check() {
      const maven = /Apache Maven ([\d.]+)/.exec((await tool(['mvn', '--version'])) ?? '')?.[1] ?? null;
      return checkMachine({
        storageDir: params.storageDir,
        tools: { node: await nodeVersion(), java: await javaVersion(), maven, postgres: await postgresPrograms(params, tool) },
      });
    },
    async environment(facts) {
      return readEnvironment({
        ...facts,
        benchsideVersion: packageManifest.version,
        nodeVersion: await nodeVersion(),
        javaVersion: await javaVersion(),
        samplesVersion: await samplesVersion(params.assetsDir),
        // A repository's own configuration can make git start programs: not in a workspace that is not trusted.
        git: params.trusted ? { run: (args) => tool(['git', '-C', gitDir, ...args], gitDir) } : null,
      });
    },
  };
}

async function postgresPrograms(
  params: InitializeParams,
  tool: (argv: readonly string[]) => Promise<string | null>,
): Promise<string | null> {
  if (params.postgresUrl !== null) return 'external';
  try {
    const { binDir } = findPostgres(params.assetsDir);
    return /\d+(\.\d+)*/.exec((await tool([path.join(binDir, 'postgres'), '--version'])) ?? '')?.[0] ?? null;
  } catch {
    return null;
  }
}

const sampleFile = /\.(mjs|java|sql)$|^pom\.xml$|package-lock\.json$/;

async function samplesVersion(assetsDir: string): Promise<string> {
  const root = path.join(assetsDir, 'samples');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => !name.split(path.sep).some((part) => part === 'node_modules' || part === 'target') && sampleFile.test(path.basename(name)),
    )
    .map((name) => path.join(root, name));
  return hashFiles(files, root);
}
