import type { CallTree } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyTree } from './copyTree.ts';

/** A tree with all of its stacks under one frame. Samples without a thread are of a thread of that name; the names of threads begin with it. */
export function underRootFrame(tree: CallTree, name: string): CallTree {
  const builder = new CallTreeBuilder(tree.events);
  const label = name.slice(1, -1);
  const { samples, threads } = tree;
  const hasOthers = samples?.thread.includes(-1) === true;
  const named: CallTree = {
    ...tree,
    threads: [...threads.map((thread) => `${label} · ${thread}`), ...(hasOthers ? [label] : [])],
    samples: samples === null ? null : { ...samples, thread: samples.thread.map((thread) => (thread < 0 ? threads.length : thread)) },
  };
  const top = builder.child(0, builder.func(name, '', 0, 'other'));
  copyTree(builder, named, { top });
  const { leftOut, cores, remarks } = tree;
  return {
    ...builder.build(),
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(cores === undefined ? {} : { cores }),
    ...(remarks === undefined ? {} : { remarks }),
  };
}
