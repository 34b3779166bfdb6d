import type { RunningTarget } from '../targets/launchTarget.ts';
import type { WatchedHeap, LeakContext } from './watchedHeap.ts';
import { JvmHeap } from './jvmHeap.ts';
import { NodeHeap } from './nodeHeap.ts';

/** How to look into the heap of each runtime; one more is a line here. */
export const watchedHeaps: Readonly<
  Record<'node' | 'jvm', (running: RunningTarget, maxMs: number, context: LeakContext) => Promise<WatchedHeap>>
> = {
  node: (running, maxMs, context) => NodeHeap.open(running, maxMs, context),
  jvm: (running, _maxMs, context) => JvmHeap.open(running, context),
};
