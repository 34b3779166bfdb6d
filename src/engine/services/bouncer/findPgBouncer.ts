import { type Failure, failure } from '../../../model/domain/failure.ts';
import { runProgram, toolSpec } from '../../supervise/runTool.ts';
import type { Supervisor } from '../../supervise/supervisor.ts';
import { findSystemProgram, howToInstall } from '../systemPrograms.ts';

const versionTimeoutMs = 10_000;

/** The PgBouncer of this machine, on the PATH or where packages put it; null when there is none. It is never bundled. */
export function findPgBouncer(): string | null {
  return process.platform === 'win32' ? null : findSystemProgram('pgbouncer');
}

export function pgBouncerMissing(): Failure {
  return {
    code: 'pgbouncer-missing',
    message: 'PgBouncer is to stand before PostgreSQL, and there is none on this machine.',
    cure: howToInstall('PgBouncer', { debian: 'pgbouncer', fedora: 'pgbouncer', homebrew: 'pgbouncer' }),
  };
}

/** “1.18.0”, by what the program says of itself. Fails with `pgbouncer-broken` where it does not run. */
export async function pgBouncerVersion(supervisor: Supervisor, program: string, signal?: AbortSignal): Promise<string> {
  const spec = toolSpec('pgbouncer --version', [program, '--version'], '/');
  const { code, output, tail } = await runProgram(supervisor, spec, { timeoutMs: versionTimeoutMs, signal });
  const version = /PgBouncer (?:version )?(\d+\.\d+(?:\.\d+)?)/.exec(output)?.[1];
  if (code === 0 && version !== undefined) return version;
  throw failure('pgbouncer-broken', `${program} does not run on this machine.`, 'Install PgBouncer again; its own words are below.', tail);
}

/** From this version on it keeps prepared statements by name in transaction mode. */
const firstWithPrepared = [1, 21] as const;

export function keepsPrepared(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > firstWithPrepared[0] || (major === firstWithPrepared[0] && minor >= firstWithPrepared[1]);
}

/** The version of the one on this machine; null where there is none that runs. */
export async function pgBouncerHere(supervisor: Supervisor): Promise<string | null> {
  const program = findPgBouncer();
  return program === null ? null : pgBouncerVersion(supervisor, program).catch(() => null);
}
