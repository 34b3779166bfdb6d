import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import packageManifest from '../../../package.json' with { type: 'json' };
import { type Failure, FailureError, failure, toFailure } from '../../model/domain/failure.ts';
import type { MachineResolution, MachineTools } from '../../model/domain/machineFacts.ts';
import type { InitializeParams, ResultOf } from '../../model/protocol/protocol.ts';
import type { Environment } from '../../model/domain/run.ts';
import { type GitRunner, hashFiles, readEnvironment } from '../observe/fingerprint.ts';
import { judgePostgresRelease, releasesKnownOn } from '../observe/postgresReleases.ts';
import { readMachine } from '../observe/readMachine.ts';
import { measureResolvingPower, resolvingS } from '../observe/measureResolvingPower.ts';
import { k6Cure, k6VersionHere } from '../k6/k6Generator.ts';
import { pgBouncerHere, pgBouncerMissing } from '../services/bouncer/findPgBouncer.ts';
import { findPostgres, hydrateLibraryLinks } from '../services/postgresBinaries.ts';
import { CarefulGit, repositoryAround } from '../supervise/carefulGit.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { runTool } from '../supervise/runTool.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import type { RunContext } from '../run/runContext.ts';

const gitMs = 10_000;

type FactSources = Pick<RunContext, 'supervisor' | 'toolchain' | 'cookieEnvironment'> & { params: InitializeParams };

/** Where to report progress of the check, what aborts it, and whether something else is measured now. */
interface CheckOptions {
  onProgress: (step: Step, fraction: number) => void;
  signal: AbortSignal;
  busy: boolean;
}

/** Reads what this machine is and has; versions are asked of the programs themselves. */
export function machineFacts({ params, supervisor, toolchain, cookieEnvironment }: FactSources) {
  const tool = (argv: readonly string[], cwd = '/'): Promise<string | null> => runTool(supervisor, argv, { cwd });
  const nodeVersion = async (): Promise<string> => {
    if (toolchain.node === process.execPath) return process.versions.node;
    return (await tool([toolchain.node, '--version']))?.trim().replace(/^v/, '') ?? 'unknown';
  };
  const javaVersion = async (): Promise<string | null> => {
    const text = toolchain.java === null ? null : await tool([toolchain.java, '-version']);
    return /version "([^"]+)"/.exec(text ?? '')?.[1] ?? null;
  };
  return {
    async check({ onProgress, signal, busy }: CheckOptions): Promise<ResultOf<'check/run'>> {
      const maven = /Apache Maven ([\d.]+)/.exec((await tool(['mvn', '--version'])) ?? '')?.[1] ?? null;
      const tools: MachineTools = {
        node: await nodeVersion(),
        java: await javaVersion(),
        maven,
        git: /git version (\S+)/.exec((await tool(['git', '--version'])) ?? '')?.[1] ?? null,
        postgres: await postgresHere(params, tool),
        pgbouncer: { version: await pgBouncerHere(supervisor), cure: pgBouncerMissing().cure },
        k6: { version: await k6VersionHere(supervisor, params.k6.path), cure: k6Cure },
      };
      const { storageDir } = params;
      if (busy) {
        const { failure: unmeasured } = failure(
          'machine-not-measured',
          'The differences that it can resolve were not measured: a benchmark or a recording is running.',
          'Check again when it has ended.',
        );
        return { machine: await readMachine({ storageDir, tools, signal }), resolution: null, unmeasured };
      }
      let [resolution, unmeasured]: [MachineResolution | null, Failure | null] = [null, null];
      const measure = async (): Promise<void> => {
        try {
          resolution = await measureResolvingPower({
            supervisor,
            signal,
            nodePath: toolchain.node,
            workerPath: path.join(params.assetsDir, 'dist', 'steadyWork.cjs'),
            env: childEnvironment({ ...toolchain.programEnvironment('node'), ...cookieEnvironment }),
            onProgress: (fraction) => onProgress({ code: 'resolving-differences', seconds: resolvingS }, fraction),
          });
        } catch (error) {
          signal.throwIfAborted();
          unmeasured = toFailure(error);
        }
      };
      const machine = await readMachine({ storageDir, tools, meanwhile: measure, signal });
      return { machine, resolution, unmeasured };
    },
    /** `measuredHere`: what was measured is the code of this workspace, so that its commit belongs to it. */
    async environment(
      facts: { postgresVersion: string | null; postgresSettings: Record<string, string> },
      measuredHere: boolean,
    ): Promise<Environment> {
      const [node, java, samples] = await Promise.all([nodeVersion(), javaVersion(), samplesVersion(params.assetsDir)]);
      return readEnvironment({
        ...facts,
        benchsideVersion: packageManifest.version,
        nodeVersion: node,
        javaVersion: java,
        samplesVersion: samples,
        git: params.trusted && measuredHere ? await gitOf(supervisor, params.workspaceDir ?? params.assetsDir) : null,
      });
    },
  };
}

/** Git for the repository around a folder; null when there is none, or Git cannot be asked. Without a repository it is not started. */
async function gitOf(supervisor: Supervisor, dir: string): Promise<GitRunner | null> {
  if (repositoryAround(dir)?.bare !== false) return null;
  try {
    const git = await CarefulGit.around({ supervisor, timeoutMs: gitMs }, dir);
    return {
      run: async (args) => {
        const { code, text } = await git.run(args);
        return code === 0 ? text : null;
      },
    };
  } catch (error) {
    if (error instanceof FailureError) return null;
    throw error;
  }
}

async function postgresHere(
  params: InitializeParams,
  tool: (argv: readonly string[]) => Promise<string | null>,
): Promise<MachineTools['postgres']> {
  const known = { knownOn: releasesKnownOn };
  if (params.postgresUrl !== null) return { ...known, version: 'external', bundled: false, release: null };
  try {
    const { binDir, origin } = findPostgres(params.assetsDir);
    // As before its first start: without the links it does not even print its version.
    if (origin === 'bundled') hydrateLibraryLinks(binDir);
    const version = /\d+(\.\d+)*/.exec((await tool([path.join(binDir, 'postgres'), '--version'])) ?? '')?.[0];
    if (version === undefined) return null;
    return { ...known, version, bundled: origin === 'bundled', release: judgePostgresRelease(version) };
  } catch {
    return null;
  }
}

const sampleFile = /\.(mjs|java|sql)$|^pom\.xml$|package-lock\.json$/;

async function samplesVersion(assetsDir: string): Promise<string> {
  const root = path.join(assetsDir, 'samples');
  return hashFiles(await sampleFiles(root), root);
}

/** Folders of packages and of built classes hold a hundred times as many files, and are not entered. */
async function sampleFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const inside = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'target' ? [] : sampleFiles(file);
      return sampleFile.test(entry.name) ? [file] : [];
    }),
  );
  return inside.flat();
}
