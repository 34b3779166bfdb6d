import { isProbed } from '../../model/domain/runtimes.ts';
import { defined } from '../../model/domain/defined.ts';
import { failure } from '../../model/domain/failure.ts';
import type { LeakCycle, LeakNote, LeakReport, LeakRequest } from '../../model/domain/leak.ts';
import type { LoadGenerator } from '../load/loadGenerator.ts';
import { profileBlock } from '../load/profileBlock.ts';
import { hurryMs, ProcessPool } from '../run/processPool.ts';
import { type PreparedTarget, loadOn, prepareTarget } from '../run/recording/recordPlan.ts';
import { startGenerator } from '../run/runContext.ts';
import { pause } from '../supervise/pause.ts';
import { findTarget } from '../targets/catalog.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { JvmHeap } from './jvmHeap.ts';
import { NodeHeap } from './nodeHeap.ts';
import type { WatchedHeap, LeakContext, Traced } from './watchedHeap.ts';
import { type LeakJudgement, judgeLeak, leakConfidence, smallestLeak } from './leakVerdict.ts';

/** Between load and collection: timers of the app and its pools come to rest. */
const restMs = 300;
/** What is kept of the budget for tracing what grows. */
const tracingShare = 0.25;
/**
 * The load of a cycle, as a share of the budget, within limits. A second of load to half a second of rest and collection is best for the slope: its error goes by
 * 1 ÷ (requests of a cycle × cycles^1.5).
 */
const loadShare = 1 / 60;
const [shortestLoadMs, longestLoadMs] = [500, 5_000];
/** However fast a target is, a cycle has no more requests. */
const mostRequests = 20_000;
/** A cycle that gets slower is ended after so many times its planned time. */
const patience = 2;
/** Beyond the budget, for snapshots and the reading of them. */
const afterwardsMs = 300_000;

/**
 * Says whether a target keeps memory of requests that are over: cycles of load, rest and full collection in a process of its own, until there is an answer or the
 * budget is spent; then, where it may leak, what grows and where it was allocated. Whatever happens, nothing that it started is left running, except PostgreSQL.
 * Fails with `leak-runtime`, and as a recording of a target does.
 */
export async function findLeak(request: LeakRequest, context: LeakContext): Promise<LeakReport> {
  const { target } = findTarget(context.declarations, request.target);
  const label = target.label ?? target.id;
  if (target.running !== undefined)
    throw failure(
      'runs-already',
      `${label} runs already, and a leak is looked for in a process that nobody else uses.`,
      'Let Benchside start it, by a command.',
    );
  if (!isProbed(target.runtime))
    throw failure('leak-runtime', `The heap of ${label} cannot be looked into: it is neither Node nor a JVM.`, 'Choose another target.');
  const { load, route, connections, settings } = request;
  const prepared = await prepareTarget({ kind: 'target', id: target.id, settings, load, ...defined({ route, connections }) }, context);
  const pool = new ProcessPool(context, prepared.address);
  let generator: LoadGenerator | null = null;
  let heap: WatchedHeap | null = null;
  try {
    context.progress({ code: 'starting', name: prepared.planned.name }, 0);
    const assertServed = context.postgres.sinceNow();
    const running = await pool.launch(prepared.planned.process);
    generator = await startGenerator(context);
    heap =
      target.runtime === 'jvm'
        ? await JvmHeap.open(running, context)
        : await NodeHeap.open(running, 1000 * request.budgetS + afterwardsMs, context);
    const looking = new Looking(request, prepared, running, generator, heap, context);
    const report = await looking.report(target.runtime, label);
    assertServed();
    return report;
  } finally {
    await heap?.close();
    await Promise.all([generator?.stop(), pool.stopAll(context.signal.aborted ? hurryMs : undefined)]);
  }
}

class Looking {
  readonly #startedMs = performance.now();
  readonly #cycles: LeakCycle[] = [];
  #sent = 0;
  #errors = 0;
  /** Requests/s, of the last cycle. */
  #throughput = 0;
  #block = 0;

  constructor(
    private readonly request: LeakRequest,
    private readonly prepared: PreparedTarget,
    private readonly running: RunningTarget,
    private readonly generator: LoadGenerator,
    private readonly heap: WatchedHeap,
    private readonly context: LeakContext,
  ) {}

  async report(runtime: LeakReport['runtime'], targetLabel: string): Promise<LeakReport> {
    const { target, budgetS, route } = this.request;
    const judged = await this.#measure();
    const notes: LeakNote[] = this.#errors > 0 ? ['errors'] : [];
    const traced = await this.#trace(judged, notes);
    const { planned, plan } = this.prepared;
    return {
      target,
      targetLabel,
      runtime,
      load: { name: plan.load.name, connections: planned.connections, route: route ?? null },
      ...judged,
      confidence: leakConfidence,
      smallest: smallestLeak,
      cycles: this.#cycles,
      classes: traced?.classes ?? [],
      holders: traced?.holders ?? [],
      stacks: traced?.stacks ?? [],
      notes: [...notes, ...(traced?.notes ?? [])],
      spentS: this.#spentS,
      budgetS,
    };
  }

  async #measure(): Promise<LeakJudgement> {
    const mayTakeS = this.request.budgetS * (1 - tracingShare);
    let judged = judgeLeak([]);
    // A cache that fills looks like a leak until it is full: however clear a leak is before, all of the time is given to it.
    for (let lastS = 0; judged.verdict !== 'does-not-leak' && this.#spentS + lastS < mayTakeS;) {
      const beganS = this.#spentS;
      const cycle = { code: 'leak-cycle', cycle: this.#cycles.length + 1, kept: judged.kept } as const;
      this.context.progress(cycle, Math.min(1, beganS / this.request.budgetS));
      await this.#load();
      const keptBytes = await this.heap.level();
      this.#cycles.push({ requests: this.#sent, errors: this.#errors, keptBytes });
      judged = judgeLeak(this.#cycles);
      lastS = this.#spentS - beganS;
    }
    return judged;
  }

  /** What grows, where something may; null where nothing does. */
  async #trace({ verdict, kept, settling }: LeakJudgement, notes: LeakNote[]): Promise<Traced | null> {
    if (verdict === 'does-not-leak' || kept === null || kept.mean < smallestLeak) return null;
    if (this.#spentS > this.request.budgetS) {
      notes.push('time');
      return null;
    }
    this.context.progress({ code: 'tracing-growth' }, Math.min(1, this.#spentS / this.request.budgetS));
    return this.heap.trace({ cycle: () => this.#load(), settling, hasTime: () => this.#spentS < this.request.budgetS });
  }

  /** The load of one cycle, and the rest after it; the number of requests that were sent. The first one is as long as it is, to see how fast the target is. */
  async #load(): Promise<number> {
    const { budgetS } = this.request;
    const loadMs = Math.min(longestLoadMs, Math.max(shortestLoadMs, 1000 * budgetS * loadShare));
    const { plan, planned } = this.prepared;
    const plannedRequests = Math.max(planned.connections, Math.round((this.#throughput * loadMs) / 1000));
    const requests = this.#throughput === 0 ? {} : { requests: Math.min(mostRequests, plannedRequests) };
    const windowMs = this.#throughput === 0 ? loadMs : patience * loadMs;
    this.#block += 1;
    // Every cycle draws other requests: what is kept for each that is new would not grow otherwise.
    const { seed } = profileBlock(plan.load, this.#block);
    const block = { ...loadOn(this.running, this.prepared, windowMs), settleMs: 0, seed, ...requests };
    const measured = await this.generator.runBlock(block, { signal: this.context.signal });
    const { errors, windowMs: tookMs } = measured;
    if (!this.running.child.running)
      throw failure(
        'target-exited',
        `${planned.name} ended after ${this.#sent} requests.`,
        'Look at its last output: where its memory was full, that is the leak; --budget with less time ends before.',
        this.running.child.log.tail(30),
      );
    const sent = measured.sentInAll ?? measured.requests + errors.total + measured.inFlightAtEnd;
    if (sent === 0) throw failure('nothing-measured', `${planned.name} took no request.`, 'Look at its log, and at its routes.');
    this.#sent += sent;
    this.#errors += errors.total;
    this.#throughput = (1000 * sent) / Math.max(1, tookMs);
    await pause(restMs, this.context.signal);
    return sent;
  }

  get #spentS(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }
}
