import { mean } from '../statistics/moments.ts';
import type { WarmUpFinding } from '../../model/domain/warmUpFinding.ts';
import type { Slice } from '../load/slices/sliceProtocol.ts';
import type { BlockMeasurement } from './trialRecord.ts';
import { cpuPartOf } from './unsteady.ts';

/** One pass of the load through all values of a process that is being warmed. */
export interface WarmPass {
  /** Mean over the values of ln(CPU time of a request of the app in µs). */
  level: number;
  /** Share of the app’s CPU time that its compilers took, 0 … 1. */
  compilerShare: number;
  /** See {@link cpuPartOf}: of the value of which it is largest. */
  cpuPart: number;
}

/** Passes are compared in two halves, of so many at the most. */
const lookedAt = 4;
/** A mean of several slices of a shared machine varies by as much without any cause. */
const leastFall = 0.1;
/** A JVM that has compiled what it runs spends a few percent on compilers at the most; one of 1,000 requests/s that had not was seen at 40 to 70 %. */
export const compilingShare = 0.1;

/** A value that the load turned to: its slices, and the connections of its load. */
export interface TurnedSide {
  slices: BlockMeasurement['slices'] | undefined;
  connections: number;
}
type TurnedSlice = NonNullable<TurnedSide['slices']>[number] & Pick<TurnedSide, 'connections'>;

/** What the slices of a round say of how warm the process is, pass by pass; none where CPU times are not known. */
export function warmPasses(seen: readonly TurnedSide[]): WarmPass[] {
  const slices = seen.flatMap(({ slices = [], connections }) => slices.map((slice) => ({ ...slice, connections })));
  const numbers = [...new Set(slices.map(({ pass }) => pass))].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const own = slices.filter(({ pass }) => pass === number);
    const logs = own.flatMap(({ appUs, answered }) => (appUs === null || answered === 0 || appUs <= 0 ? [] : [Math.log(appUs / answered)]));
    if (own.length < seen.length || logs.length < own.length) return [];
    const compilerShare = sum(own, ({ compilerUs }) => compilerUs ?? 0) / sum(own, ({ appUs }) => appUs ?? 0);
    return [{ level: mean(logs), compilerShare, cpuPart: Math.max(...own.map(partOf)) }];
  });
}

function partOf({
  connections,
  appUs,
  compilerUs,
  appWaitedUs,
  compilerWaitedUs,
  busiestUs,
  busiestWaitedUs,
  answered,
  requests,
  windowMs,
  wholeMs,
}: TurnedSlice): number {
  if (appUs === null || appWaitedUs === null || busiestUs === null || busiestWaitedUs === null || answered === 0 || requests === 0)
    return 1;
  const lastsUs = (1000 * windowMs * connections) / requests;
  return cpuPartOf({
    us: (appUs - (compilerUs ?? 0) + appWaitedUs - (compilerWaitedUs ?? 0)) / answered,
    lastsUs,
    busiestShare: (busiestUs + busiestWaitedUs) / (1000 * wholeMs),
  });
}

/** The part of a request’s time that needs CPU of the app, in the latest passes; null without any. */
export function partOfRequest(passes: readonly WarmPass[]): number | null {
  const recent = passes.slice(-lookedAt / 2);
  return recent.length === 0 ? null : mean(recent.map(({ cpuPart }) => cpuPart));
}

/**
 * Why a process that was switched from value to value is not warm yet; null when it is. A plateau of CPU time alone is no proof: a compiler that others leave
 * little of the cores works on for ten seconds and more, at the same CPU time for each request, until what it compiled takes effect.
 */
export function stillWarming(passes: readonly WarmPass[]): WarmUpFinding | null {
  const last = passes.slice(-lookedAt);
  const half = last.length >> 1;
  if (half < 1) return { code: 'few-ticks', value: passes.length, limit: 2 };
  const [before, after] = [last.slice(0, last.length - half), last.slice(-half)];
  const share = mean(after.map(({ compilerShare }) => compilerShare));
  if (share > compilingShare) return { code: 'compiling', share };
  const fall = 1 - Math.exp(mean(after.map(({ level }) => level)) - mean(before.map(({ level }) => level)));
  return fall > leastFall ? { code: 'between-halves', change: fall } : null;
}

function sum(slices: readonly Slice[], of: (slice: Slice) => number): number {
  return slices.reduce((total, slice) => total + of(slice), 0);
}
