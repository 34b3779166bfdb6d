import { failure, FailureError } from '../../model/domain/failure.ts';
import type { LeakStack } from '../../model/domain/leak.ts';
import { AttachSocket } from '../record/jvm/attachSocket.ts';
import { ExchangeFolder } from '../record/jvm/exchangeFolder.ts';
import { type JvmProcess, inspectJvm } from '../record/jvm/jvmProcess.ts';
import { foreignProfilers, libraryFor, libraryProblem } from '../record/jvm/profilerLibrary.ts';
import { type RunningTarget, serverPid } from '../targets/launchTarget.ts';
import { type ClassHistogram, growingClasses, readClassHistogram } from './classHistogram.ts';
import { type WatchedHeap, type LeakContext, type Traced, type TraceOptions, mostStacks, requestsPerObject } from './watchedHeap.ts';
import { readLiveTraces } from './liveTraces.ts';

const collectTimeoutMs = 60_000;
const startTimeoutMs = 30_000;
/** The profiler ends on its own after that. */
const longestTraceS = 120;
/** Cycles in which is sampled what stays. */
const tracedCycles = 2;
/** The profiler writes them by the size of their objects, and here they are put in order by their samples. */
const writtenStacks = 100;
/** Bytes between two samples of what is allocated. */
const samplingInterval = 4_096;
const [tracesName, logName] = ['live.txt', 'profiler.log'];

/** The heap of a HotSpot JVM, through its attach socket. */
export class JvmHeap implements WatchedHeap {
  readonly #histograms: ClassHistogram[] = [];

  private constructor(
    private readonly jvm: JvmProcess,
    private readonly socket: AttachSocket,
    private readonly context: LeakContext,
  ) {}

  static async open(running: RunningTarget, context: LeakContext): Promise<JvmHeap> {
    const jvm = inspectJvm(serverPid(running));
    return new JvmHeap(jvm, await AttachSocket.open(jvm, { signal: context.signal }), context);
  }

  async level(): Promise<number> {
    // References that a first collection finds are cleared and enqueued; the second frees what hung on them. The histogram collects the heap, too.
    await this.socket.jcmd('GC.run', { timeoutMs: collectTimeoutMs });
    const histogram = readClassHistogram(await this.socket.jcmd('GC.class_histogram', { timeoutMs: collectTimeoutMs }));
    if (histogram === null)
      throw failure('jcmd-failed', `The JVM ${this.jvm.pid} gave no histogram of its classes.`, 'Run the target on a HotSpot JVM.');
    this.#histograms.push(histogram);
    return histogram.bytes;
  }

  async trace({ cycle, settling }: TraceOptions): Promise<Traced> {
    const counted = this.#histograms.slice(settling);
    let requests = Infinity;
    const stacks = await this.#stacks(async () => {
      requests = Math.min(requests, await cycle());
    });
    const least = Number.isFinite(requests) ? Math.ceil(requests / requestsPerObject) : 1;
    return { classes: growingClasses(counted, least), holders: [], stacks: stacks ?? [], notes: stacks === null ? ['no-stacks'] : [] };
  }

  async close(): Promise<void> {
    // Each command had a connection of its own, which has ended with it.
  }

  /** Where what stays was allocated, by samples of async-profiler that forget what is collected; null where it cannot be used here. */
  async #stacks(cycle: () => Promise<void>): Promise<LeakStack[] | null> {
    if (libraryProblem(this.context.assetsDir) !== null) return null;
    const exchange = await ExchangeFolder.create(this.jvm);
    try {
      const library = await libraryFor(this.jvm, exchange, this.context.assetsDir);
      if (foreignProfilers(this.jvm, library).length > 0) return null;
      const log = `log=${exchange.jvmFile(logName)}`;
      const started = ['start', 'event=alloc', `alloc=${samplingInterval}`, 'live', `timeout=${longestTraceS}`, log].join(',');
      if ((await this.socket.loadAgent(library, started, { timeoutMs: startTimeoutMs })) !== 0) return null;
      try {
        for (let done = 0; done < tracedCycles; done += 1) await cycle();
        await this.level();
      } finally {
        await this.socket.loadAgent(library, `stop,traces=${writtenStacks},file=${exchange.jvmFile(tracesName)},${log}`);
      }
      return readLiveTraces(await exchange.text(tracesName), samplingInterval).slice(0, mostStacks);
    } catch (error) {
      this.context.signal.throwIfAborted();
      if (error instanceof FailureError && error.failure.code.startsWith('agent-')) return null;
      throw error;
    } finally {
      await exchange.remove();
    }
  }
}
