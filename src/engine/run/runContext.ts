import path from 'node:path';
import type { K6Params } from '../../model/domain/generator.ts';
import type { Environment } from '../../model/domain/run.ts';
import type { RunEvent } from '../../model/protocol/runEvent.ts';
import { LoadGenerator } from '../load/loadGenerator.ts';
import type { ProbeSource } from '../probe/probeLaunch.ts';
import type { Recorders } from '../record/recorders.ts';
import type { RunStore } from '../runs/runStore.ts';
import type { PostgresService } from '../services/postgresService.ts';
import { childEnvironment } from '../supervise/environment.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import type { Declarations } from '../targets/catalog.ts';
import type { RequirePeers } from '../targets/peers.ts';
import type { Toolchain } from '../targets/toolchain.ts';

/** What a run needs of the engine. */
export interface RunContext {
  supervisor: Supervisor;
  postgres: PostgresService;
  declarations: Declarations;
  toolchain: Toolchain;
  store: RunStore;
  recorders: Recorders;
  /** The folder that holds `samples/`, `profiles/` and `dist/`. */
  assetsDir: string;
  /** Probes for the apps of this run; null: they are started without. */
  probes: ProbeSource | null;
  /** Decides which hosts a target may connect to. */
  server: { requirePeers: RequirePeers };
  cookieEnvironment: Readonly<Record<string, string>>;
  /** What the user said of k6 and of a cluster with its operator. */
  k6Params: K6Params;
  /** False: what the workspace declares is not started. */
  trusted: boolean;
  readEnvironment: (facts: { postgresVersion: string | null; postgresSettings: Record<string, string> }) => Promise<Environment>;
  /** The name of a target's setting for people. */
  labelOf: (target: string, setting: string) => string;
  emit: (event: RunEvent) => void;
  signal: AbortSignal;
}

/** The environment of a program of Benchside’s own, which Node runs. */
export function nodeEnvironment({
  toolchain,
  cookieEnvironment,
}: Pick<RunContext, 'toolchain' | 'cookieEnvironment'>): Record<string, string> {
  return childEnvironment({ ...toolchain.programEnvironment('node'), ...cookieEnvironment });
}

/** A load generator: a process of its own. */
export function startGenerator(
  context: Pick<RunContext, 'supervisor' | 'toolchain' | 'assetsDir' | 'cookieEnvironment' | 'signal'>,
): Promise<LoadGenerator> {
  const { supervisor, toolchain, assetsDir, signal } = context;
  const workerPath = path.join(assetsDir, 'dist', 'loadWorker.cjs');
  return LoadGenerator.start(supervisor, { nodePath: toolchain.node, workerPath, env: nodeEnvironment(context), signal });
}
