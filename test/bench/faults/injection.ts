import { getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { type ProcessIdentity, isSameProcess, processIdentity } from '../../../src/engine/supervise/identity.ts';
import { signalProcess, withDescendants } from '../../support/ownedProcesses.ts';
import { type ClientSide, goneTimeoutMs, within } from './clientSide.ts';
import { type Cell, type Scene, phaseSpans } from './faults.ts';
import { type Lane, type Snapshot, allPids, describeProcess, stillListening, ticksNow, waitedForCpuMs } from './lane.ts';
import type { Result } from './results.ts';

// The limits only decide what hangs: they are wide, since the machine may be busy with other things.
/** So long it is waited for a phase that is to come. */
const phaseTimeoutMs = 120_000;
/** So long an activity goes on after a fault that it may survive, before it is broken off. */
const goOnMs = 600;
/** What has not ended by then hangs. */
const endTimeoutMs = 240_000;
const nextTimeoutMs = 300_000;
/** So long it is waited for what must go without another engine. */
const aloneTimeoutMs = 30_000;

/** Injects one fault at a random moment of one phase of one activity, and looks at what is left of everything afterwards. */
export async function inject({ fault, activity, phase }: Cell, lane: Lane, random: SeededRandom): Promise<Omit<Result, 'commit'>> {
  const began = performance.now();
  const left: string[] = [];
  // Without a database half of the times, where the activity and the phase allow it.
  const simple = activity === 'run' && phase !== 'services' && fault.name !== 'kill-postgres' && random.nextInteger(0, 1) === 0;
  const target = fault.target ?? (simple ? 'plain' : 'pooled');
  const client = await lane.clientWith(fault.env?.(random), left);
  client.order({ activity, target, record: phase === 'record', isShort: false });
  const over = (): boolean => client.all('ended').length > 0 || client.hasEnded;
  await within(() => client.all('engine').length > 0, phaseTimeoutMs, 5);
  const { engine } = client;
  await within(() => client.all('phase').some((one) => one.phase === phase) || over(), phaseTimeoutMs, 3);
  const reached = client.all('phase').some((one) => one.phase === phase);
  const delayMs = random.nextInteger(0, phaseSpans[phase]);
  await pause(delayMs);

  const engines: ProcessIdentity[] = [engine];
  const before = lane.snapshot(engines);
  const scene: Scene = {
    lane,
    random,
    client: client.owned.identity,
    engine,
    children: () => withDescendants([engine], allPids()).filter(({ pid }) => pid !== engine.pid),
    order: (order) => client.order(order),
  };
  const injectedAt = performance.now();
  const injected = await fault.inject(scene);

  let clearingSince = performance.now();
  let endedMs: number | null = null;
  if (fault.ends === 'nothing') {
    // A reload has two activities, the second of which is broken off.
    const ends = fault.name === 'reload' ? 2 : 1;
    const done = (): boolean => client.all('ended').length >= ends || client.hasEnded;
    if (!(await within(done, goOnMs))) client.order('break-off');
    if (await within(done, endTimeoutMs)) endedMs = Math.round(performance.now() - injectedAt);
    else left.push('the activity did not end');
    for (const { pid } of client.all('engine').slice(1))
      engines.push(...(processIdentity(pid) === null ? [] : [processIdentity(pid) ?? engine]));
    fault.undo?.(scene);
    clearingSince = performance.now();
    client.order('leave');
  }
  const after: Snapshot = lane.snapshot(engines.filter(isSameProcess));
  const seen: Snapshot = {
    cookies: [...new Set([...before.cookies, ...after.cookies])],
    processes: [...before.processes, ...after.processes],
    guardians: [...before.guardians, ...after.guardians],
    ports: [...new Set([...before.ports, ...after.ports])],
  };
  // Half of the times nobody comes, and what is left must go on its own; else the next engine comes as soon as this one has gone, as after a crash.
  const alone = random.nextInteger(0, 1) === 0;
  let next: ClientSide | null = null;
  const waitedBefore = waitedForCpuMs();
  const clearing = performance.now();
  const clearingTicks = ticksNow();
  let cleanUpMs: number | null = null;
  let guardianMs: number | null = null;
  const sinceClearing = (): number => Math.round(performance.now() - clearingSince);
  const isClear = (): boolean => {
    // Whether those that were seen are gone is cheaply known; only then it is looked at everything, as that would hold up what is measured.
    if (cleanUpMs === null) {
      if (seen.processes.some(isSameProcess)) return false;
      const atMs = sinceClearing();
      // As soon as the next run begins, its own PostgreSQL may be there.
      if ((next?.all('phase').length ?? 0) === 0 && lane.running(seen, next?.engine ?? null).length > 0) return false;
      cleanUpMs = atMs;
    }
    if (seen.guardians.some(isSameProcess)) return false;
    guardianMs ??= sinceClearing();
    return true;
  };
  const clearedAlone = alone ? within(isClear, aloneTimeoutMs) : Promise.resolve(false);
  if (!(await within(() => engines.every((identity) => !isSameProcess(identity)), goneTimeoutMs))) left.push('the engine did not end');
  if (alone && !(await clearedAlone)) left.push('something ran until the next engine came');
  // With PostgreSQL where that is what was hit, and else sometimes: to start it takes longer than all the rest.
  const withDatabase = target === 'pooled' && (fault.name === 'kill-postgres' || phase === 'services' || random.nextInteger(0, 3) === 0);
  const cleared = within(isClear, goneTimeoutMs);
  next = await lane.newClient();
  const successor = next;
  next.order({ activity: 'run', target: withDatabase ? 'pooled' : 'plain', record: false, isShort: true });
  let nextEngineMs: number | null = null;
  const isGreeted = within(() => successor.all('greeted').length > 0, nextTimeoutMs, 5).then((is) => {
    if (is) nextEngineMs = Math.round(performance.now() - clearingSince);
  });
  const gone = await cleared;
  const starved = (waitedForCpuMs() - waitedBefore) / Math.max(1, performance.now() - clearing);
  if (!gone) left.push(...[...seen.processes, ...seen.guardians].filter(isSameProcess).map(({ pid }) => `process ${describeProcess(pid)}`));
  const nextDone = await within(() => next.all('ended').length > 0 || next.hasEnded, nextTimeoutMs);
  await isGreeted;
  const outcome = next.all('ended')[0];
  const nextRun = nextDone && outcome?.outcome === 'complete' && outcome.stored !== null;
  signalProcess(client.owned.identity, 'SIGKILL');
  await client.owned.exited;
  left.push(...stillListening(seen.ports, clearingTicks).map((pid) => `port of ${describeProcess(pid)}`));
  left.push(...lane.running(seen, next.engine).map(({ pid }) => `process ${describeProcess(pid)}`));
  const endings = [...client.all('engine-ended'), ...next.all('engine-ended')];
  const endOf = (pid: number): string | undefined => endings.find((one) => one.pid === pid)?.how;
  left.push(...(await lane.leftovers(seen.processes, [...client.stored, ...next.stored], endOf, next.engine)));
  // What is injected next happens to this engine, and is looked at after that.
  if (nextRun) lane.keep(next);
  else if (!(await next.leave())) left.push('the next engine did not end');
  return {
    fault: fault.name,
    activity,
    phase,
    target,
    reached,
    injected,
    delayMs,
    processes: before.processes.length,
    ended: client.all('ended')[0]?.code ?? client.all('ended')[0]?.outcome ?? null,
    said: client.all('ended')[0]?.said ?? null,
    endedMs,
    cleanUpMs,
    guardianMs,
    alone,
    nextEngineMs,
    nice: getPriority(),
    starved: Math.min(1, Math.round(starved * 100) / 100),
    left: [...new Set(left)],
    nextRun,
    nextCode: nextRun ? null : (outcome?.code ?? outcome?.outcome ?? 'nothing'),
    wholeMs: Math.round(performance.now() - began),
  };
}
