import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { build } from 'esbuild';
import { processStat } from '../../src/engine/supervise/identity.ts';
import { commandLine, enginePath, repositoryDir, temporaryFolder } from './engine.ts';
import { startOwned } from './ownedProcesses.ts';

/** A process that has started an engine and does nothing else. */
export interface LonelyClient {
  enginePid: number;
  end(signal?: NodeJS.Signals): void;
  /** Kills what waits for the client’s end, so that nobody does. */
  endGuard(): void;
}

const source = `
  import { startEngine } from '${repositoryDir}/src/engine/rpc/engineClient.ts';
  const engine = await startEngine(JSON.parse(process.argv[2]));
  console.log(engine.pid);
  setInterval(() => undefined, 1_000);
`;

/** The program of a client, which is the same for all. */
let program: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: repositoryDir, loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** Starts a client in a process of its own, with an engine that is started with `env`. */
export async function clientOf(env: Readonly<Record<string, string>>, storageDir: string): Promise<LonelyClient> {
  const folder = temporaryFolder('client');
  const file = path.join(folder, 'client.mjs');
  writeFileSync(file, await (program ??= bundled()));
  const workspaceDir = path.join(folder, 'workspace');
  mkdirSync(workspaceDir);
  const initialize = {
    client: 'test',
    workspaceDir,
    storageDir,
    assetsDir: repositoryDir,
    trusted: true,
    nodePath: process.execPath,
    javaPath: null,
    postgresUrl: null,
  };
  const options = JSON.stringify({ nodePath: process.execPath, enginePath, env, initialize });
  const { process: child } = await startOwned(process.execPath, [file, options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const enginePid = await new Promise<number>((resolve, reject) => {
    lines.once('line', (line) => resolve(Number(line)));
    lines.once('close', () => reject(new Error('the client has ended')));
  });
  const guards = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && processStat(Number(name))?.ppid === child.pid)
    .map(Number)
    .filter((pid) => commandLine(pid).includes('benchside-client-guard'));
  return {
    enginePid,
    end: (signal = 'SIGKILL') => void child.kill(signal),
    endGuard: () => {
      for (const pid of guards) process.kill(pid, 'SIGKILL');
    },
  };
}
