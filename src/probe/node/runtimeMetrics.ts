import { type PerformanceEntry, constants, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProbeReport } from '../../model/domain/probe.ts';
import { Durations } from './durations.ts';
import { Pauses } from './pauses.ts';

/** Event loop, garbage collector and heap of this process. */
export class RuntimeMetrics {
  readonly #stops = new Pauses();
  readonly #observer: PerformanceObserver | null;
  readonly #pauses = new Durations();
  #full = 0;
  #afterFullBytes: number | null = null;

  constructor() {
    this.#observer = this.#observeGc();
  }

  start(): void {
    this.#stops.start();
  }

  stop(): void {
    this.#stops.stop();
    this.#observer?.disconnect();
  }

  report(): Pick<ProbeReport, 'eventLoop' | 'gc' | 'heap' | 'pauses' | 'workerPool'> {
    const { active, idle } = performance.eventLoopUtilization();
    const heap = getHeapStatistics();
    return {
      eventLoop: {
        activeUs: Math.max(0, Math.round(active * 1000)),
        idleUs: Math.max(0, Math.round(idle * 1000)),
        delay: this.#stops.loopDelay.report(),
      },
      gc: this.#observer === null ? null : this.#collections(),
      heap: {
        usedBytes: heap.used_heap_size,
        maxBytes: heap.heap_size_limit,
        afterGcBytes: this.#afterFullBytes,
        allocatedBytes: allocated(heap),
      },
      ...this.#stops.report(),
    };
  }

  #collections(): ProbeReport['gc'] {
    const pauses = this.#pauses.report();
    return { count: pauses.count, pauseUs: pauses.sumUs, maxPauseUs: pauses.maxUs, full: this.#full, pauses };
  }

  #observeGc(): PerformanceObserver | null {
    try {
      const observer = new PerformanceObserver((list) => {
        const entries = list.getEntries();
        for (const { startTime, duration } of entries) {
          this.#pauses.record(duration * 1000);
          this.#stops.note('collector', (startTime + duration) * 1000, duration * 1000);
        }
        const full = entries.filter(isMajor).length;
        if (full === 0) return;
        this.#full += full;
        // The list comes a turn of the event loop later: what was allocated since is in it.
        this.#afterFullBytes = getHeapStatistics().used_heap_size;
      });
      observer.observe({ entryTypes: ['gc'] });
      return observer;
    } catch {
      return null;
    }
  }
}

/** Known to newer versions of V8 only. */
function allocated(heap: object): number | null {
  const { total_allocated_bytes: bytes } = heap as { total_allocated_bytes?: unknown };
  return typeof bytes === 'number' ? bytes : null;
}

/** As `node --expose-gc` would allow it, for this moment only; twice, so that what the first one ends is freed too. */
export function collectWholeHeap(): void {
  try {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as unknown;
    setFlagsFromString('--no-expose-gc');
    for (let times = 0; times < 2; times += 1) if (typeof collect === 'function') (collect as () => void)();
  } catch {
    // Not allowed in this process: the report says what is in use.
  }
}

/** Mark-sweep-compact, which scans the whole heap; its incremental steps before that are no collections of their own. */
function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as { detail?: { kind?: unknown } };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
