import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { childEnvironment } from '../../supervise/environment.ts';
import { hasProcess } from '../../supervise/identity.ts';
import { pause } from '../../supervise/pause.ts';
import { findProgram } from '../../supervise/program.ts';
import { endOf } from '../../supervise/runTool.ts';
import { politeLadder } from '../../supervise/stopLadder.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import type { Supervisor } from '../../supervise/supervisor.ts';
import { clinicFolder, clinicInstalled, clinicManifest, isWhole, wholeMarker } from './clinicPackage.ts';

export interface ClinicInstallation {
  /** Where Benchside is installed: `tools/clinic` lies there. */
  assetsDir: string;
  storageDir: string;
  /** The Node that runs npm, which is looked for next to it first, and the tools; an app runs on the one in its own command. */
  nodePath: string;
  supervisor: Supervisor;
  signal: AbortSignal;
  /** Packages that are there by now, and all of them. */
  onProgress?: (done: number, total: number) => void;
  /** npm waits much longer for a registry that it cannot reach. */
  timeoutMs?: number;
}

/** Said to npm whatever the user's own settings are. */
const npmArguments = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--engine-strict=false',
  '--loglevel=error',
];
/** Settings handed down by a surrounding npm belong to another project; those that say where packages come from are kept. */
const keptSettings = /^npm_config_(registry|cache|userconfig|globalconfig|https?_proxy|proxy|noproxy|cafile|ca|strict_ssl)$/i;

/**
 * Installs Clinic from the lockfile that ships with Benchside into the storage, from the user's own registry. To be called when the user has
 * agreed. Returns at once when it is installed; an installation that was interrupted leaves nothing that counts, and is repeated from nothing.
 * Fails with `npm-not-found`, `clinic-lockfile-changed` or `clinic-not-installed`; when it is aborted, with the signal's reason.
 */
export async function installClinic(options: ClinicInstallation): Promise<void> {
  const { storageDir, signal } = options;
  signal.throwIfAborted();
  if (clinicInstalled(storageDir)) return;
  const { lock, manifest, packageCount } = clinicManifest(options.assetsDir);
  const env = npmEnvironment(options.nodePath);
  const npm = findProgram('npm', storageDir, env['PATH']);
  if (npm === null)
    throw failure(
      'npm-not-found',
      'Clinic cannot be installed: there is no npm beside the Node that is used, nor on the PATH.',
      'Install npm, which comes with Node.js, or name another Node in the setting benchside.nodePath.',
    );
  mkdirSync(storageDir, { recursive: true });
  removeAbandoned(storageDir);
  const folder = clinicFolder(storageDir);
  const staging = `${folder}.part-${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(staging, { mode: 0o700 });
  try {
    writeFileSync(path.join(staging, 'package-lock.json'), lock);
    writeFileSync(path.join(staging, 'package.json'), manifest);
    await runNpm(npm, staging, env, packageCount, options);
    // The app runs the tools' preloads, and may run as another user than we do.
    chmodSync(staging, 0o755);
    const { name, content } = wholeMarker();
    writeFileSync(path.join(staging, name), content);
    // Another engine may have been faster; what it made is as good.
    if (!isWhole(folder)) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(staging, folder);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function npmEnvironment(nodePath: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined && keptSettings.test(name)) kept[name] = value;
  const searched = [path.dirname(nodePath), process.env['PATH'] ?? ''].join(path.delimiter);
  return childEnvironment({ ...kept, PATH: searched });
}

async function runNpm(
  npm: string,
  staging: string,
  env: Record<string, string>,
  packageCount: number,
  { supervisor, signal, onProgress, timeoutMs = 600_000 }: ClinicInstallation,
): Promise<void> {
  const argv = [npm, ...npmArguments];
  const child = await supervisor.start({ name: 'npm for Clinic', kind: 'tool', argv, cwd: staging, env, stop: politeLadder(1000) });
  const ended = new AbortController();
  const watching = watchProgress(staging, packageCount, onProgress, ended.signal);
  const exit = await endOf(child, { timeoutMs, signal, hurryMs: 1000 });
  ended.abort();
  await watching;
  signal.throwIfAborted();
  if (exit.code === 0) return;
  const how = exit.late ? `npm was not done after ${Math.round(timeoutMs / 1000)} s` : `npm ${exitPhrase(exit)}`;
  throw failure(
    'clinic-not-installed',
    `Clinic could not be installed: ${how}.`,
    'Check that npm reaches its registry and that the disk has 300 MB free, then try again.',
    child.log.tail(20),
  );
}

async function watchProgress(
  staging: string,
  total: number,
  onProgress: ClinicInstallation['onProgress'],
  signal: AbortSignal,
): Promise<void> {
  if (onProgress === undefined) return;
  try {
    for (;;) {
      onProgress(Math.min(total, countPackages(path.join(staging, 'node_modules'))), total);
      await pause(500, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    onProgress(Math.min(total, countPackages(path.join(staging, 'node_modules'))), total);
  }
}

function countPackages(folder: string): number {
  try {
    return readdirSync(folder).reduce((count, name) => {
      if (name.startsWith('.')) return count;
      return count + (name.startsWith('@') ? readdirSync(path.join(folder, name)).length : 1);
    }, 0);
  } catch {
    return 0;
  }
}

/** Removes what installers that are gone have left half-finished. */
function removeAbandoned(storageDir: string): void {
  for (const name of readdirSync(storageDir)) {
    const pid = /^clinic-[0-9a-f]{12}\.part-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid !== undefined && !hasProcess(Number(pid))) rmSync(path.join(storageDir, name), { recursive: true, force: true });
  }
}
