import { PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { ProbeReport } from '../../model/probe.ts';
import { cancel, every, nowUs } from './clock.ts';
import { Durations } from './durations.ts';

const delayResolutionMs = 20;

/** Event loop, garbage collector and heap of this process. */
export class RuntimeFigures {
  readonly #delay = new Durations();
  readonly #observer: PerformanceObserver | null;
  readonly #gc = { count: 0, pauseUs: 0, maxPauseUs: 0 };
  #timer: NodeJS.Timeout | null = null;

  constructor() {
    this.#observer = this.#observeGc();
  }

  /**
   * How late a timer of 20 ms is. `monitorEventLoopDelay` does the same, but its histogram can be read as percentiles only: these cannot be
   * subtracted, and resetting it loses the delay that is just going on.
   */
  start(): void {
    let lastUs = nowUs();
    this.#timer = every(() => {
      const time = nowUs();
      this.#delay.record(time - lastUs - delayResolutionMs * 1000);
      lastUs = time;
    }, delayResolutionMs);
  }

  stop(): void {
    cancel(this.#timer);
    this.#observer?.disconnect();
  }

  report(): Pick<ProbeReport, 'eventLoop' | 'gc' | 'heap'> {
    const { active, idle } = performance.eventLoopUtilization();
    const heap = getHeapStatistics();
    return {
      eventLoop: {
        activeUs: Math.max(0, Math.round(active * 1000)),
        idleUs: Math.max(0, Math.round(idle * 1000)),
        delay: this.#delay.report(),
      },
      gc:
        this.#observer === null
          ? null
          : { count: this.#gc.count, pauseUs: Math.round(this.#gc.pauseUs), maxPauseUs: Math.round(this.#gc.maxPauseUs) },
      heap: { usedBytes: heap.used_heap_size, maxBytes: heap.heap_size_limit },
    };
  }

  #observeGc(): PerformanceObserver | null {
    try {
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          const pauseUs = duration * 1000;
          this.#gc.count += 1;
          this.#gc.pauseUs += pauseUs;
          this.#gc.maxPauseUs = Math.max(this.#gc.maxPauseUs, pauseUs);
        }
      });
      observer.observe({ entryTypes: ['gc'] });
      return observer;
    } catch {
      return null;
    }
  }
}
