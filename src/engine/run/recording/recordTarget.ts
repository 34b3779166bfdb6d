import { failure } from '../../../model/domain/failure.ts';
import type { RecordingRequest } from '../../../model/domain/recording.ts';
import { warmUpTime } from '../../../model/domain/warmUpTime.ts';
import type { LoadGenerator } from '../../load/loadGenerator.ts';
import { Sampler } from '../../observe/sampler.ts';
import { recordAttached } from '../../record/attachedRecording.ts';
import { recordingRecord, targetSubject } from '../../record/recordingRecord.ts';
import { type UnderLoad, loadDuring } from '../../record/underLoad.ts';
import { type RunningTarget, serverPid } from '../../targets/launchTarget.ts';
import { hurryMs, ProcessPool } from '../processPool.ts';
import { startGenerator } from '../runContext.ts';
import {
  type PreparedTarget,
  type RecordingContext,
  type RecordingResult,
  type TargetSubject,
  loadOn,
  prepareTarget,
  recordingTickMs,
  recordingTitle,
} from './recordPlan.ts';
import { steadyState } from '../../statistics/steadyState.ts';

/**
 * Records a target in a process of its own: PostgreSQL, the target with its settings, the load until throughput is steady, and then the
 * recording under that load. Whatever happens, nothing that it started is left running, except PostgreSQL, which serves others too.
 */
export async function recordTarget(subject: TargetSubject, request: RecordingRequest, context: RecordingContext): Promise<RecordingResult> {
  const prepared = await prepareTarget(subject, context);
  const { declared, planned } = prepared;
  const pool = new ProcessPool(context, prepared.address);
  let generator: LoadGenerator | null = null;
  try {
    context.progress({ code: 'starting', name: planned.name }, 0.1);
    const assertServed = context.postgres.sinceNow();
    const running = await pool.launch(subject.load === null ? { ...planned.process, asks: [] } : planned.process);
    if (subject.load !== null) {
      generator = await startGenerator(context);
      await warmUp(prepared, running, generator, context);
    }
    const load = generator === null ? null : underLoad(prepared, running, generator, context);
    context.progress({ code: 'recording', name: planned.name, seconds: request.seconds }, 0.6);
    const process = { pid: serverPid(running), root: running.child.pid, runtime: declared.target.runtime, probes: running.probe };
    const { window, recorder, notes } = await recordAttached(context.recorders, request, { process, load, signal: context.signal });
    assertServed();
    context.progress({ code: 'writing-recording' }, 0.97);
    const named = { title: recordingTitle(subject, prepared), pid: process.pid, trialKey: null, argv: running.command.argv };
    return recordingRecord(window, targetSubject(planned.process, named), recorder, { prefix: '', cost: null, notes });
  } finally {
    await Promise.all([generator?.stop(), pool.stopAll(context.signal.aborted ? hurryMs : undefined)]);
  }
}

async function warmUp(
  prepared: PreparedTarget,
  running: RunningTarget,
  generator: LoadGenerator,
  context: RecordingContext,
): Promise<void> {
  const { planned, plan, declared } = prepared;
  const { minS, maxS } = warmUpTime(plan.load, declared.target.runtime);
  context.progress({ code: 'warming-up', name: planned.name, processes: 1 }, 0.2);
  await generator.warmUp(loadOn(running, prepared, maxS * 1000), {
    minMs: minS * 1000,
    maxMs: maxS * 1000,
    isSteady: (ticks) => {
      const throughput = ticks.filter((tick) => tick.windowMs > recordingTickMs / 2).map((tick) => tick.throughput);
      return !running.child.running || steadyState(throughput, recordingTickMs).steady;
    },
    signal: context.signal,
  });
  if (!running.child.running) {
    throw failure(
      'target-exited',
      `${planned.name} ended while it was warmed up.`,
      'Look at its last output; correct the cause and record again.',
      running.child.log.tail(30),
    );
  }
}

function underLoad(prepared: PreparedTarget, running: RunningTarget, generator: LoadGenerator, { signal }: RecordingContext): UnderLoad {
  const { pid } = running.child;
  const sampler = new Sampler({
    roots: () => ({ app: [pid], postgres: [], generator: [] }),
    trialKey: () => null,
    now: () => performance.now(),
  });
  return {
    pid,
    connections: prepared.planned.connections,
    cpuTimeUs: () => sampler.cpuTimeUs([pid]),
    during: (work) => loadDuring(generator, loadOn(running, prepared, 1), work, signal),
    block: (windowMs, onWindow) =>
      generator.runBlock(loadOn(running, prepared, windowMs), { signal, ...(onWindow === undefined ? {} : { onWindow }) }),
  };
}
