import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Failure, FailureError } from '../../src/model/domain/failure.ts';
import type { Measured, Catalog, InitializeParams, ParamsInput, RequestName, ResultOf } from '../../src/model/protocol/protocol.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { RunEvent } from '../../src/model/protocol/runEvent.ts';
import { type EngineClient, startEngine } from '../../src/engine/rpc/engineClient.ts';
import { cookieName } from '../../src/engine/supervise/environment.ts';
import { type ProcessIdentity, isSameProcess, processIdentity, processStat } from '../../src/engine/supervise/identity.ts';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { waitFor } from './waitFor.ts';
import type { AskedOf, MeasureInput } from '../../src/model/protocol/measureRequest.ts';

export const repositoryDir = path.resolve(import.meta.dirname, '../..');
export const enginePath = path.join(repositoryDir, 'dist', 'engine.cjs');
const appsDir = path.join(repositoryDir, 'test', 'fixtures', 'apps');

/** Short blocks, hardly any warm-up: figures of no worth, in no time. */
export const briefLoad = {
  name: 'brief',
  connections: 4,
  durationS: 0.5,
  settleS: 0.1,
  rounds: 2,
  warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 },
  timeoutMs: 1000,
};

/** A target as it is in benchside.json, for one of the services in test/fixtures/apps. */
export function appTarget(id: string, file: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    runtime: 'node',
    command: ['node', path.join(appsDir, file)],
    ready: { path: '/', timeoutMs: 20_000 },
    routes: [{ path: '/' }],
    settings: { pool: { min: 1, max: 64, default: 4, env: 'POOL' } },
    stopGraceMs: 1000,
    ...more,
  };
}

const temporaryFolders: string[] = [];

/** A new folder; `removeTemporaryFolders` deletes it. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `benchside-${name}-`));
  temporaryFolders.push(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  for (const folder of temporaryFolders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

export function writeWorkspaceFile(
  workspaceDir: string,
  content: { targets?: unknown[]; loadProfiles?: unknown[]; [key: string]: unknown } | string,
): void {
  const text = typeof content === 'string' ? content : JSON.stringify({ loadProfiles: [briefLoad], ...content }, null, 2);
  writeFileSync(path.join(workspaceDir, 'benchside.json'), text);
}

export interface TestEngineOptions extends Partial<InitializeParams> {
  nodeProgram?: string;
  env?: Record<string, string>;
  /** Contents of benchside.json. */
  file?: Parameters<typeof writeWorkspaceFile>[1];
}

/** A real engine process with a workspace and a storage of its own, and what it has told. */
export class TestEngine {
  readonly events: RunEvent[] = [];
  private constructor(
    readonly client: EngineClient,
    readonly workspaceDir: string,
    readonly storageDir: string,
  ) {
    client.on('run/event', (event) => this.events.push(event));
  }

  static async start({ nodeProgram = process.execPath, env = {}, file, ...initialize }: TestEngineOptions = {}): Promise<TestEngine> {
    const workspaceDir = initialize.workspaceDir ?? temporaryFolder('workspace');
    const storageDir = initialize.storageDir ?? temporaryFolder('storage');
    mkdirSync(workspaceDir, { recursive: true });
    if (file !== undefined) writeWorkspaceFile(workspaceDir, file);
    const client = await startEngine({
      nodePath: nodeProgram,
      enginePath,
      env,
      initialize: {
        client: 'test',
        assetsDir: repositoryDir,
        trusted: true,
        nodePath: process.execPath,
        javaPath: null,
        postgresUrl: null,
        ...initialize,
        workspaceDir,
        storageDir,
      },
    });
    return new TestEngine(client, workspaceDir, storageDir);
  }

  request<N extends RequestName>(name: N, params: ParamsInput<N>): Promise<ResultOf<N>> {
    return this.client.request(name, params);
  }

  catalog(): Promise<Catalog> {
    return this.request('catalog/get', {});
  }

  measure(request: MeasureInput): Promise<Measured> {
    return this.request('measure/start', { request });
  }

  /** Runs to the end and gives the stored record. */
  async run(request: AskedOf<'run'>): Promise<RunRecord> {
    const { runId } = await this.measure({ kind: 'run', ...request });
    return (await this.request('runs/get', { id: runId })).run;
  }

  /** Waits until the engine has told something. */
  event<T extends RunEvent['type']>(
    type: T,
    test: (event: Extract<RunEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<RunEvent, { type: T }>> {
    const matches = (event: RunEvent): event is Extract<RunEvent, { type: T }> =>
      event.type === type && test(event as Extract<RunEvent, { type: T }>);
    return waitFor(() => this.events.find(matches), { timeoutMs: 40_000, what: `an event “${type}”` });
  }

  /** What marks every process that this engine has started. */
  get cookie(): string {
    return cookieOf(this.storageDir, this.client.pid);
  }

  /** Every process that this engine has started, directly or not, but for the guardian, which is there as long as the engine. */
  processes(): ProcessIdentity[] {
    return engineProcesses(this.client.pid, this.cookie).filter(({ pid }) => !commandLine(pid).includes('benchside-guardian'));
  }

  /** Folders below runs/, temporary and removed ones too. */
  runFolders(): string[] {
    const folder = path.join(this.workspaceDir, '.benchside', 'runs');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** Ends the engine. Its folders stay until `removeTemporaryFolders`. */
  dispose(): Promise<void> {
    return this.client.dispose();
  }
}

/** The cookie in the journal of the engine with this pid. */
export function cookieOf(storageDir: string, enginePid: number): string {
  const folder = path.join(storageDir, 'journals');
  for (const name of readdirSync(folder)) {
    const first = JSON.parse(readFileSync(path.join(folder, name), 'utf8').split('\n')[0] ?? '') as {
      cookie: string;
      engine: { pid: number };
    };
    if (first.engine.pid === enginePid) return first.cookie;
  }
  throw new Error(`no journal of the engine ${enginePid}`);
}

/** Processes below an engine or with its cookie; the engine itself is not among them. */
export function engineProcesses(enginePid: number, cookie: string): ProcessIdentity[] {
  const found = new Map(processesMarked(cookieName, cookie).map((identity) => [identity.pid, identity]));
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? processStat(Number(name)) : null;
    if (stat !== null) parents.set(Number(name), stat.ppid);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent > 0 && (parent === enginePid || isBelow(parent));
  };
  for (const pid of parents.keys()) {
    const identity = isBelow(pid) ? processIdentity(pid) : null;
    if (identity !== null) found.set(pid, identity);
  }
  return [...found.values()];
}

/** The command line of a process, for messages. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Waits until none of these processes runs; says which do when some stay. Gives how long it took, in ms. */
export async function untilGone(identities: readonly ProcessIdentity[], timeoutMs: number): Promise<number> {
  const started = performance.now();
  const left = (): ProcessIdentity[] => identities.filter((identity) => isSameProcess(identity));
  await waitFor(() => left().length === 0, { timeoutMs, everyMs: 10, what: 'the end of all processes' }).catch((error: unknown) => {
    throw new Error(
      `still running: ${left()
        .map(({ pid }) => `${pid} ${commandLine(pid)}`)
        .join('; ')}`,
      { cause: error },
    );
  });
  return performance.now() - started;
}

/** The failure that a request ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}
