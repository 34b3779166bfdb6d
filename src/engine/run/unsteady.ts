import type { Unsteady, WarmUpFinding } from '../../model/domain/warmUpFinding.ts';

/** So small a part of a request can vanish, and throughput changes by no more than settings may differ and count as the same. */
const littleCpu = 0.05;
/**
 * Values between which the load turns in one process run the same code, and what comes to cost less does so at all of them: the ratio of two changes by less than half
 * of the part. In a JVM at work on compilers the parts were 5 to 8 % at pools of 8 to 64 that were as fast as each other, mostly within 2 % of each other.
 */
export const littleOfTurned = 2 * littleCpu;

/** Whether figures of throughput must be expected to change, too. */
export function movesThroughput(unsteady: Unsteady | null): boolean {
  return unsteady !== null && unsteady.cpuPart === null;
}

/** `why`, and whether throughput follows it. */
export function unsteadyOf(why: WarmUpFinding | null, cpuPart: number | null, little = littleCpu): Unsteady | null {
  return why === null ? null : { why, cpuPart: isLittle(cpuPart, little) ? cpuPart : null };
}

/** Whether the CPU time of the app decides next to nothing of how long a request takes. */
export function isLittle(cpuPart: number | null, little = littleCpu): cpuPart is number {
  return cpuPart !== null && cpuPart <= little;
}

/**
 * The part of a request’s time that it needs CPU of the app, 0 … 1 at the most: the app’s threads, but for compilers, which no request waits for, run or wait for a
 * core `us` µs for it, of `lastsUs`; and before that it waits for the thread that is busiest. As many requests as there are connections wait for that no longer than in an open queue, 1 / (1 − utilisation):
 * Lazowska et al., Quantitative System Performance, 1984, §6.4 (the queue that an arrival finds is that of a system with one customer less).
 */
export function cpuPartOf({ us, lastsUs, busiestShare }: { us: number; lastsUs: number; busiestShare: number }): number {
  return busiestShare >= 1 || !(lastsUs > 0) ? 1 : Math.min(1, us / lastsUs / (1 - busiestShare));
}
