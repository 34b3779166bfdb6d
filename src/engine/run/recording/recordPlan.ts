import type { Step } from '../../../model/domain/progress/stepKinds.ts';
import { failure } from '../../../model/domain/failure.ts';
import type { RecordingRequest } from '../../../model/domain/recording.ts';
import type { RunRequest } from '../../../model/domain/run.ts';
import { type BlockPlan, reachPlan } from '../../load/loadPlans.ts';
import { profileBlock } from '../../load/profileBlock.ts';
import type { recordingRecord } from '../../record/recordingRecord.ts';
import type { DatabaseAddress } from '../../services/serverUrl.ts';
import { type DeclaredTarget, findTarget } from '../../targets/catalog.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import { loadProfileNamed } from '../loadProfileNamed.ts';
import { type PlannedTrial, type RunPlan, closedLoop, planRun } from '../plan.ts';
import type { RunContext } from '../runContext.ts';
import { SharedData } from '../sharedData.ts';

/** Throughput is read this often while a target warms up. */
export const recordingTickMs = 500;
/** The process is warm when the load begins: it needs no longer than its connections. */
const settleMs = 300;

/** What making a recording needs of the engine, in addition to what a run needs. */
export interface RecordingContext extends Omit<RunContext, 'emit' | 'store' | 'readEnvironment' | 'labelOf'> {
  assetsDir: string;
  storageDir: string;
  /** `fraction` is of the whole; null where it is not known. */
  progress: (step: Step, fraction: number | null) => void;
}

export type TargetSubject = Extract<RecordingRequest['subject'], { kind: 'target' }>;

/** A recording that is not stored yet. */
export type RecordingResult = ReturnType<typeof recordingRecord>;

/** One target with one set of settings, with PostgreSQL ready when it wants one. */
export interface PreparedTarget {
  declared: DeclaredTarget;
  plan: RunPlan;
  planned: PlannedTrial;
  address: DatabaseAddress | null;
}

/** Resolves settings, connections and mix as for any run, and prepares the data. */
export async function prepareTarget(subject: TargetSubject, context: RecordingContext): Promise<PreparedTarget> {
  const declared = findTarget(context.declarations, subject.id);
  const plan = planOne(subject, context);
  const planned = plan.trials[0];
  if (planned === undefined) throw failure('bad-request', 'There is nothing to record.', 'Choose a target.');
  const data = new SharedData([declared], plan.mixes);
  if (!data.wanted) return { declared, plan, planned, address: null };
  context.progress({ code: 'starting-postgres' }, 0.02);
  const { address } = await context.postgres.database(context.signal);
  await data.prepare(address, (step) => context.progress(step, 0.05), context);
  return { declared, plan, planned, address };
}

/** One block of the subject's load on a process of its target. */
export function loadOn(
  { port, reach }: Pick<RunningTarget, 'port' | 'reach'>,
  { plan: { load }, planned }: PreparedTarget,
  windowMs: number,
): BlockPlan {
  return {
    ...profileBlock(load, 1),
    ...reachPlan(reach),
    port,
    connections: planned.connections,
    settleMs,
    windowMs,
    tickMs: recordingTickMs,
    mix: planned.process.mix ?? [],
  };
}

/** What a recording of a target is called. */
export function recordingTitle(subject: TargetSubject, { planned }: PreparedTarget): string {
  return subject.load === null ? planned.name : `${planned.name} · ${planned.connections} connections`;
}

function planOne(subject: TargetSubject, { declarations }: RecordingContext): RunPlan {
  const profile = loadProfileNamed(declarations, subject.load ?? 'steady');
  const request: RunRequest = {
    targets: [subject.id],
    settings: namedSettings(subject, findTarget(declarations, subject.id)),
    load: profile.name,
    rounds: 1,
    connections: [subject.connections ?? [profile.connections].flat()[0] ?? 1],
    ...(subject.route === undefined ? {} : { route: subject.route }),
  };
  return planRun([findTarget(declarations, subject.id)], closedLoop(profile), request);
}

/** The settings that a recording is named by: the pool, and whatever is not at its default. */
function namedSettings({ settings }: TargetSubject, { target }: DeclaredTarget): RunRequest['settings'] {
  const told = Object.entries(settings).filter(([name, value]) => name === 'pool' || target.settings[name]?.default !== value);
  return Object.fromEntries(told.map(([name, value]) => [name, [value]]));
}
