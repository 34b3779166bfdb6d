import { PerformanceObserver } from 'node:perf_hooks';
import { stat } from 'node:fs';
import type { PauseKind, ProbeReport } from '../../model/domain/probe.ts';
import { activeResources } from './activeResources.ts';
import { cancel, every, nowUs } from './clock.ts';
import { Durations } from './durations.ts';
import { quietly } from './objects.ts';

/** As it is before somebody watches which variables the app reads: this is not the app. */
const environment = process.env;

/** Shorter ones are the usual turns of a loop. */
const leastUs = 10_000;
/** As many as a report may have; the oldest go first. */
const kept = 100;
const loopEveryMs = 20;
const poolEveryMs = 100;
/** What is under way is listed no more often: the list is as long as there are sockets. */
const listEveryUs = 1_000_000;

/** Of this process’s clock against the machine’s monotonic one, which its neighbours read, too. */
const machineOffsetUs = Number(process.hrtime.bigint()) / 1_000 - nowUs();

/**
 * Stretches of time in which this process, or a part of it that requests need, served nobody. A timer detects each, or Node reports it; requests are
 * not touched.
 */
export class Pauses {
  readonly loopDelay = new Durations();
  readonly #poolWait = new Durations();
  readonly #kept: NonNullable<ProbeReport['pauses']> = [];
  #observer: PerformanceObserver | null = null;
  #timers: NodeJS.Timeout[] = [];
  #poolAsked = false;
  #poolBusyWith: Record<string, number> | null = null;
  #listedUs = 0;

  start(): void {
    this.#timers = [this.#watchLoop(), this.#watchPool()];
    this.#watchLookUps();
  }

  stop(): void {
    for (const timer of this.#timers) cancel(timer);
    this.#observer?.disconnect();
  }

  /** `endUs`: on this process’s clock; `cpuUs`: CPU time of this process in that stretch, where it is known. */
  note(kind: PauseKind, endUs: number, us: number, cpuUs: number | null = null): void {
    if (us < leastUs) return;
    this.#kept.push({
      kind,
      atUs: Math.round(endUs - us + machineOffsetUs),
      us: Math.round(us),
      ...(cpuUs === null ? {} : { cpuUs: Math.round(cpuUs) }),
    });
    if (this.#kept.length > kept) this.#kept.shift();
  }

  report(): Pick<ProbeReport, 'pauses' | 'workerPool'> {
    const size = Number(environment['UV_THREADPOOL_SIZE']);
    return {
      pauses: [...this.#kept],
      workerPool: {
        size: Number.isInteger(size) && size > 0 ? Math.min(1024, size) : 4,
        wait: this.#poolWait.report(),
        busyWith: this.#poolBusyWith,
      },
    };
  }

  /**
   * How late a timer of 20 ms is. `monitorEventLoopDelay` does the same, but its histogram can be read as percentiles only: these cannot be
   * subtracted, and resetting it loses the delay that is just going on. What blocked the loop began anywhere between two ticks, so that half a tick is added.
   */
  #watchLoop(): NodeJS.Timeout {
    let lastUs = nowUs();
    let cpu = process.cpuUsage();
    return every(() => {
      const time = nowUs();
      const lateUs = time - lastUs - loopEveryMs * 1_000;
      this.loopDelay.record(lateUs);
      lastUs = time;
      const used = process.cpuUsage(cpu);
      cpu = process.cpuUsage();
      if (lateUs >= leastUs) this.note('loop', time, lateUs + (loopEveryMs * 1_000) / 2, used.user + used.system);
    }, loopEveryMs);
  }

  /** How long the least of all tasks waits for a thread of libuv’s pool, which files, names, crypto and compression share. */
  #watchPool(): NodeJS.Timeout {
    const done = quietly((sinceUs: number, turnsBefore: number): void => {
      this.#poolAsked = false;
      const time = nowUs();
      // A loop that was blocked in the meantime gets the event late.
      const waitedUs = Math.max(0, time - sinceUs - this.#turnsSince(turnsBefore));
      this.#poolWait.record(waitedUs);
      this.note('worker-pool', time, waitedUs);
    }, undefined);
    return every(() => {
      if (this.#poolAsked) {
        if (nowUs() - this.#listedUs < listEveryUs) return;
        this.#listedUs = nowUs();
        this.#poolBusyWith = activeResources();
        return;
      }
      this.#poolAsked = true;
      const [sinceUs, turns] = [nowUs(), this.loopDelay.sumUs];
      stat('/', () => done(sinceUs, turns));
    }, poolEveryMs);
  }

  #turnsSince(before: number): number {
    return Math.max(0, this.loopDelay.sumUs - before);
  }

  #watchLookUps(): void {
    try {
      this.#observer = new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          this.note('name-look-up', (startTime + duration) * 1_000, duration * 1_000);
      });
      this.#observer.observe({ entryTypes: ['dns'] });
    } catch {
      // Known to newer versions of Node only.
    }
  }
}
