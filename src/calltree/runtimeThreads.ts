import type { CallTree } from '../model/domain/callTree.ts';
import type { RecordedThread } from '../model/domain/recording.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { samplingThread } from './cpuCoverage.ts';
import { joinTrees } from './joinTrees.ts';

/** Node gives these threads no names before version 24. */
const unnamedThreads = '(threads of V8 and libuv)';

/**
 * The profile of a thread of Node with what the kernel counted of threads that no profile is of: V8’s collector and compilers, and libuv’s pool. They have
 * a frame for each name, without samples; V8’s sampling thread is the recorder’s own and is left out.
 *
 * @param threads all threads of the process; kernelNs in ns
 * @param profiled numbers of the threads that have a profile of their own; one of them is the main thread, which unnamed threads share their name with
 */
export function withRuntimeThreads(tree: CallTree, threads: readonly RecordedThread[], profiled: ReadonlySet<number>): CallTree {
  const others = threads.filter(({ number, name, kernelNs }) => !profiled.has(number) && name !== samplingThread && kernelNs > 0);
  const event = tree.events.find(({ name, unit }) => name === 'cpu' && unit === 'ns');
  if (others.length === 0 || event === undefined) return tree;
  const shared = new Set(threads.filter(({ number }) => profiled.has(number)).map(({ name }) => name));
  const builder = new CallTreeBuilder([{ name: event.name, unit: event.unit }]);
  for (const { name, kernelNs } of others) {
    const frame = shared.has(name) ? unnamedThreads : `(threads “${name}”)`;
    builder.add(builder.child(0, builder.func(frame, '', 0, 'runtime')), 0, kernelNs);
  }
  return joinTrees(tree, builder.build());
}
