import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { childEnvironment } from '../../supervise/environment.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import { inTime } from '../../../model/domain/inTime.ts';
import type { Child } from '../../supervise/supervisor.ts';
import { type ClinicMessage, type ClinicRequest, readClinicMessage } from './clinicMessages.ts';
import type { ClinicRun } from './clinicRun.ts';

const defaultReadyMs = 60_000;

interface Places {
  workDir: string;
  requestFile: string;
  request: ClinicRequest;
}

/** The process in which the tool and the app run, with a watchdog over each of its stages. */
export class ClinicProcess {
  #child: Child | null = null;
  readonly #seen = new Map<ClinicMessage['type'], ClinicMessage>();
  #changed: () => void = () => undefined;
  readonly #ended = new AbortController();

  private constructor(
    private readonly run: ClinicRun,
    private readonly finishMs: number,
  ) {}

  static async start(run: ClinicRun, { workDir, requestFile, request }: Places): Promise<ClinicProcess> {
    const finishMs = run.finishMs ?? 60_000 + run.seconds * 4000;
    const process_ = new ClinicProcess(run, finishMs);
    writeFileSync(requestFile, JSON.stringify(request), { mode: 0o600 });
    const child = await run.supervisor.start({
      name: `Clinic ${run.tool.slice('clinic-'.length)}`,
      kind: 'tool',
      argv: [run.nodePath, '--max-old-space-size=3072', path.join(run.assetsDir, 'tools', 'clinic', 'runner.cjs'), requestFile],
      cwd: workDir,
      env: childEnvironment({ NO_INSIGHT: 'true' }),
      captureLines: (stream, line) => {
        const message = stream === 'stdout' ? readClinicMessage(line, request.mark) : null;
        if (message === null) return;
        process_.#seen.set(message.type, message);
        process_.#changed();
      },
      // Only the runner gets the signal: it ends the app by the tool's own way. What is left is then ended with the group.
      stop: [
        { signal: 'SIGINT', to: 'process', graceMs: finishMs },
        { signal: 'SIGKILL', to: 'group', graceMs: 2_000 },
      ],
    });
    process_.#child = child;
    void child.exited.then(() => {
      process_.#ended.abort();
      process_.#changed();
    });
    return process_;
  }

  /** Waits for the app, lets the load run, ends the recording and waits for the data. The process has ended when this settles. */
  async record(): Promise<void> {
    const child = this.#child as Child;
    const { run } = this;
    const abort = (): void => void child.stop(0);
    run.signal.addEventListener('abort', abort, { once: true });
    try {
      if (run.signal.aborted) abort();
      const readyMs = run.readyMs ?? defaultReadyMs;
      const startedAt = performance.now();
      const listening = await this.#until('listening', readyMs);
      if (listening === null) throw this.#notReady(`it opened no port within ${seconds(readyMs)}`);
      const leftMs = Math.max(1, readyMs - (performance.now() - startedAt));
      const signal = AbortSignal.any([run.signal, this.#ended.signal]);
      if (run.untilReady !== undefined) await this.#answers(run.untilReady(listening.port, signal), leftMs, readyMs);
      await this.#orEnd(run.load(signal));
      void child.stop();
      const finished = await this.#until('finished', this.finishMs);
      if (finished === null) throw this.#hangs();
      await child.exited;
    } finally {
      run.signal.removeEventListener('abort', abort);
      await child.stop(0);
      await child.exited;
    }
  }

  /** The message of that type; null when it has not come by then. Fails when the run is aborted or the process has ended before it. */
  async #until<T extends ClinicMessage['type']>(type: T, timeoutMs: number): Promise<Extract<ClinicMessage, { type: T }> | null> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      this.run.signal.throwIfAborted();
      const message = this.#seen.get(type);
      if (message !== undefined) return message as Extract<ClinicMessage, { type: T }>;
      if (this.#seen.has('failed') || this.#ended.signal.aborted) throw await this.#failed();
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return null;
      // An abort ends the process, and with it this.
      await inTime(leftMs, new Promise<void>((resolve) => (this.#changed = resolve)), () => undefined);
    }
  }

  #answers(ready: Promise<void>, leftMs: number, readyMs: number): Promise<void> {
    const answered = inTime(leftMs, ready, () => {
      throw this.#notReady(`it did not answer within ${seconds(readyMs)}`);
    });
    return this.#orEnd(answered);
  }

  /** What the promise gives; fails as soon as the process has ended, as nothing is recorded then. */
  async #orEnd(work: Promise<void>): Promise<void> {
    const ended = new Promise<'ended'>((resolve) => {
      this.#ended.signal.addEventListener('abort', () => resolve('ended'), { once: true });
      if (this.#ended.signal.aborted) resolve('ended');
    });
    const first = await Promise.race([work, ended]).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) throw error;
      return 'ended' as const;
    });
    this.run.signal.throwIfAborted();
    if (first === 'ended' || this.#seen.has('failed')) throw await this.#failed();
  }

  async #failed(): Promise<Error> {
    const child = this.#child as Child;
    await child.stop(0);
    const exit = await child.exited;
    const message = this.#seen.get('failed');
    const why = message?.type === 'failed' ? message.message : `the tool ${exitPhrase(exit)}`;
    if (message?.type === 'failed' && message.stage === 'analysis')
      return failure('clinic-no-data', `What Clinic recorded cannot be read: ${oneLine(why)}.`);
    const cure = 'Look at its last output, and check that the app runs without Clinic. Clinic’s tools do not support the cluster module.';
    return failure('clinic-app-failed', `The app did not run to the end under Clinic: ${oneLine(why)}.`, cure, child.log.tail(15));
  }

  #notReady(why: string): Error {
    const cure = 'Check that the app listens without Clinic, and on which port. Under a tool it starts more slowly.';
    return failure('clinic-app-not-ready', `The app did not become ready under Clinic: ${why}.`, cure, this.#child?.log.tail(15));
  }

  #hangs(): Error {
    return failure(
      'clinic-hangs',
      `Clinic’s tool was ended: it gave no data within ${seconds(this.finishMs)} of the end of the load.`,
      'Record a shorter time, or record with the V8 inspector.',
      this.#child?.log.tail(15),
    );
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300).replace(/\.$/, '');
}

function seconds(ms: number): string {
  return ms >= 10_000 ? `${Math.round(ms / 1000)} s` : `${(ms / 1000).toFixed(1)} s`;
}
