import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failure, toFailure } from '../../model/domain/failure.ts';
import { figure } from '../../model/domain/format.ts';
import { type Cluster, type Generator, isElsewhere } from '../../model/domain/generator.ts';
import { shortened } from '../../model/domain/plainText.ts';
import type { BlockOptions, BlockPlan } from '../load/loadPlans.ts';
import { pause } from '../supervise/pause.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type BlockGenerator, blockDocument, blockVariables, readBlock } from './k6Block.ts';
import type { K6Measured } from './k6Measurement.ts';
import { scriptFileName } from './k6Plan.ts';
import { Kubectl, runLabel } from './kubectl.ts';
import { k6Version, ownLabels, resultsFolder, resultsYaml, scriptYaml, testRunYaml } from './testRun.ts';

/** How long is waited for what a cluster does in its own time: nodes may be added and images fetched. */
export const clusterLimits = {
  volumeReadyS: 300,
  startedMs: 300_000,
  /** The end of the last requests, and of the runners’ files. */
  endMs: 120_000,
  copyMs: 300_000,
  pollMs: 1000,
};
/** A copy that breaks off is begun again where it broke off, so many times. */
const copyRetries = '3';
/** The load continues after the window: it is seen to have begun up to a poll later than it has. */
const tailS = 4;
/** Clocks with a larger difference would move the window out of the load. */
const clocksApartMs = 1000;
/** The pod by which files are copied ends on its own after this, even if the engine dies. */
const longestS = 24 * 3600;

/** What our script says when its load begins, by the clock of its pod. */
const beginning = /benchside started (\d+) (\S+?)["\s]/;

export interface OperatorOptions {
  supervisor: Supervisor;
  choice: Generator;
  cluster: Cluster;
  assetsDir: string;
  limits?: typeof clusterLimits;
}

/** Runners of the k6 operator that share each block, in a cluster that the user named: a `TestRun` for each, of which the files are copied and merged. */
export class OperatorGenerator implements BlockGenerator {
  readonly pids: readonly number[] = [];
  readonly elsewhere: boolean;
  readonly phrase: string;
  readonly #id = randomBytes(5).toString('hex');
  readonly #kubectl: Kubectl;
  readonly #limits: typeof clusterLimits;
  #blocks = 0;

  private constructor(private readonly options: OperatorOptions) {
    const { cluster, choice, supervisor } = options;
    this.elsewhere = isElsewhere(cluster);
    this.#limits = options.limits ?? clusterLimits;
    this.#kubectl = Kubectl.find(supervisor, cluster);
    this.phrase = `k6 ${k6Version}, ${choice.processes} ${choice.processes === 1 ? 'runner' : 'runners'} of the k6 operator (context ${cluster.context}, namespace ${cluster.namespace})${this.elsewhere ? `, at ${cluster.url}` : ''}`;
  }

  /** Fails with `kubectl-missing`, and with `k6-cluster` where context or operator are not there. Nothing is made yet. */
  static async find(options: OperatorOptions, signal: AbortSignal): Promise<OperatorGenerator> {
    const generator = new OperatorGenerator(options);
    await generator.#kubectl.requireOperator(signal);
    return generator;
  }

  /** Makes the volume for the runners’ files. */
  async open(signal: AbortSignal): Promise<void> {
    const { cluster, choice, supervisor } = this.options;
    const { volumeReadyS } = this.#limits;
    supervisor.elsewhere.made({ id: this.#id, context: cluster.context, namespace: cluster.namespace });
    const accessMode = choice.processes === 1 ? 'ReadWriteOnce' : 'ReadWriteMany';
    await this.#create(resultsYaml({ name: this.#results, labels: this.#labels, lifeS: longestS, accessMode }), signal);
    const waiting = ['wait', '--for=condition=Ready', `pod/${this.#results}`, `--timeout=${volumeReadyS}s`];
    await this.#kubectl.lines(waiting, { timeoutMs: (volumeReadyS + 30) * 1000, signal }).catch(async (error: unknown) => {
      signal.throwIfAborted();
      throw failure(
        'k6-pods',
        `The volume for k6’s files, or the pod that copies them, was not ready after ${volumeReadyS} s.`,
        choice.processes === 1
          ? 'See why its pod waits, by “kubectl describe pod”.'
          : 'Several runners need a class of storage that allows ReadWriteMany: make one the default, or use one runner (--generator k6-operator).',
        `${toFailure(error).detail ?? ''}\n${await this.#pods(`${runLabel}=${this.#id}`)}`,
      );
    });
  }

  async runBlock(plan: BlockPlan, { onWindow, signal = new AbortController().signal }: BlockOptions): Promise<K6Measured> {
    signal.throwIfAborted();
    this.#blocks += 1;
    const name = `benchside-${this.#id}-${this.#blocks}`;
    const folder = makeTemporaryFolder('ksix');
    try {
      const createdMs = Date.now();
      await this.#create(await this.#manifests(name, plan), signal);
      const startMs = await this.#untilStarted(name, createdMs, signal);
      const openedMs = await this.#window(plan, startMs, onWindow, signal);
      await this.#until(name, ['finished'], this.#limits.endMs, signal);
      const files = await this.#copy(name, folder, signal);
      // The window is where the meters of this machine were read; those of a service elsewhere are not.
      const settleMs = this.elsewhere ? plan.settleMs : openedMs - startMs;
      return await readBlock(plan, {
        files,
        settleMs,
        workerPath: path.join(this.options.assetsDir, 'dist', 'k6Worker.cjs'),
        signal,
      });
    } finally {
      await this.#remove(name);
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    try {
      await this.#kubectl.removeAll(this.#id);
      this.options.supervisor.elsewhere.unmade(this.#id);
    } catch {
      // It stays in the journal: the next engine removes it.
    }
  }

  get #results(): string {
    return `benchside-${this.#id}-results`;
  }

  get #labels(): Record<string, string> {
    return { ...ownLabels, [runLabel]: this.#id };
  }

  async #manifests(name: string, plan: BlockPlan): Promise<string> {
    const { assetsDir, choice, cluster } = this.options;
    const script = await readFile(path.join(assetsDir, 'profiles', 'k6', scriptFileName), 'utf8');
    const ports = [plan.port, ...(plan.morePorts ?? [])];
    const urls = this.elsewhere ? [cluster.url] : ports.map((port) => cluster.url.replace('{port}', String(port)));
    const test = testRunYaml({
      name,
      claim: this.#results,
      labels: this.#labels,
      parallelism: choice.processes,
      variables: { ...blockVariables(plan, urls), BENCHSIDE_TELL: '1', K6_NO_USAGE_REPORT: 'true' },
      file: `${name}-$(POD_NAME).csv.gz`,
    });
    const config = scriptYaml({ name, labels: this.#labels, script, plan: JSON.stringify(blockDocument(plan, tailS)) });
    return `${config}---\n${test}`;
  }

  /** `create` and not `apply`, which would keep the whole of it a second time in an annotation, for which a config map has no room. */
  async #create(manifests: string, signal: AbortSignal): Promise<void> {
    const folder = makeTemporaryFolder('ksix');
    try {
      const file = path.join(folder, 'manifests.yaml');
      await writeFile(file, manifests);
      await this.#kubectl.lines(['create', `--filename=${file}`], { signal });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** When the last of the runners has begun, in ms since 1970 by its own clock. */
  async #untilStarted(name: string, createdMs: number, signal: AbortSignal): Promise<number> {
    const { startedMs, pollMs } = this.#limits;
    const deadline = performance.now() + startedMs;
    await this.#until(name, ['started', 'finished'], startedMs, signal);
    const { processes } = this.options.choice;
    const logs = ['logs', `--selector=k6_cr=${name},runner=true`, '--tail=-1', `--max-log-requests=${processes}`];
    for (;;) {
      const starts = new Map<string, number>();
      // A pod that has only just begun may have no log yet.
      for (const line of await this.#kubectl.lines(logs, { signal }).catch(() => [])) {
        const [, startMs, segment] = beginning.exec(`${line} `) ?? [];
        if (segment !== undefined) starts.set(segment, Number(startMs));
      }
      signal.throwIfAborted();
      if (starts.size >= processes) return this.#inOurTime(Math.max(...starts.values()), createdMs);
      if (performance.now() > deadline)
        throw await this.#failed(name, `${starts.size} of ${processes} runners had begun after ${startedMs / 1000} s`);
      await pause(pollMs, signal);
    }
  }

  /** A beginning before the test was there, or one that is still to come, is of another clock. */
  #inOurTime(startMs: number, createdMs: number): number {
    const apartMs = Math.max(startMs - Date.now(), createdMs - startMs);
    if (this.elsewhere || apartMs < clocksApartMs) return startMs;
    throw failure(
      'k6-pods',
      `The clocks of the cluster and of this machine are ${figure(apartMs / 1000)} s apart, or more, so that it is not known what of this machine belongs to the measured window.`,
      'Set both by a time server.',
    );
  }

  /** Waits through settling and the window, and reports its edges. Returns when it opened, in ms since 1970. */
  async #window(plan: BlockPlan, startMs: number, onWindow: BlockOptions['onWindow'], signal: AbortSignal): Promise<number> {
    const leftMs = this.elsewhere ? plan.settleMs : startMs + plan.settleMs - Date.now();
    if (leftMs > 0) await pause(leftMs, signal);
    const openedMs = Date.now();
    onWindow?.('open', 0);
    await pause(plan.windowMs, signal);
    onWindow?.('close', 0);
    return openedMs;
  }

  /** Until the test has come to one of these stages. Fails with `k6-pods` when it has failed, or takes longer. */
  async #until(name: string, stages: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const [stage = ''] = await this.#kubectl.lines(['get', `testruns.k6.io/${name}`, '--output=jsonpath={.status.stage}'], { signal });
      if (stages.includes(stage)) return;
      if (stage === 'error' || stage === 'stopped') throw await this.#failed(name, `the operator says “${stage}” of it`);
      if (performance.now() > deadline)
        throw await this.#failed(name, `it was ${stage === '' ? 'not begun' : `still “${stage}”`} after ${Math.round(timeoutMs / 1000)} s`);
      await pause(this.#limits.pollMs, signal);
    }
  }

  /** The files of all runners. Fails with `k6-pods` when one is missing. */
  async #copy(name: string, folder: string, signal: AbortSignal): Promise<{ path: string; name: string }[]> {
    const pods = ['get', 'pods', `--selector=k6_cr=${name},runner=true`, '--output=jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}'];
    const names = (await this.#kubectl.lines(pods, { signal })).filter((pod) => /^[a-z0-9][a-z0-9.-]*$/.test(pod));
    if (names.length !== this.options.choice.processes)
      throw await this.#failed(name, `${names.length} of ${this.options.choice.processes} of its runners are there`);
    mkdirSync(path.join(folder, 'results'));
    const files = names.map((pod) => ({ path: path.join(folder, 'results', `${pod}.csv.gz`), name: `${pod}.csv.gz` }));
    for (const file of files) {
      const from = `${this.#results}:${resultsFolder}/${name}-${file.name}`;
      // kubectl treats a path with a drive’s colon as a pod’s.
      const copy = ['cp', from, path.relative('/', file.path), '--container=files', `--retries=${copyRetries}`];
      await this.#kubectl.lines(copy, { timeoutMs: this.#limits.copyMs, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw failure(
          'k6-pods',
          `The file of the runner ${file.name} could not be copied.`,
          'Look whether the runner has ended as it should, and try again.',
          toFailure(error).detail ?? toFailure(error).message,
        );
      });
    }
    return files;
  }

  async #remove(name: string): Promise<void> {
    // The end removes the rest, with everything else.
    await this.#kubectl
      .lines(['delete', `testruns.k6.io/${name}`, `configmaps/${name}`, '--ignore-not-found', '--wait=false'])
      .catch(() => []);
  }

  async #failed(name: string, phrase: string): Promise<Error> {
    return failure(
      'k6-pods',
      `The test ${name} has not been run: ${phrase}.`,
      'Look at its pods: whether they were scheduled, their image fetched, and what k6 printed.',
      await this.#pods(`k6_cr=${name}`),
    );
  }

  /** How its pods are and what they printed last, for a person. */
  async #pods(selector: string): Promise<string> {
    const asks = [
      ['get', 'pods', `--selector=${selector}`],
      ['logs', `--selector=${selector}`, '--tail=10', '--all-containers'],
    ];
    const answers = await Promise.all(asks.map((args) => this.#kubectl.lines(args).catch(() => [])));
    return shortened(answers.flat().join('\n'), 4000);
  }
}
