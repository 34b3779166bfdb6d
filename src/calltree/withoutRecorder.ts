import type { CallTree } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyTree } from './copyTree.ts';
import { helpsRecorder, recorderPartByName } from './recorderFrames.ts';
import { eventTotal } from './totals.ts';

/** Whose a node is: of a hook of the recorder, what it has itself is the recorder's, and what it calls is the app's. */
type Owner = 'app' | 'recorder' | 'hook';

/**
 * A tree of counted stacks without those in which async-profiler is at work itself, which are counted in `leftOut`, and without the frames of
 * its hooks, below which the app goes on. The same tree where there are none. Goes by names alone: it is for recordings that hold no more.
 */
export function withoutRecorder(tree: CallTree): CallTree {
  const { name } = tree.functions;
  const parts = name.map(recorderPartByName);
  if (parts.every((part) => part === null)) return tree;
  const owners: Owner[] = ['app'];
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    owners.push(ownerOf(parts[func] ?? null, name[func] ?? '', owners[tree.parent[node] as number] as Owner));
  }
  const kept = Uint8Array.from(owners, (owner) => (owner === 'app' ? 1 : 0));
  const builder = new CallTreeBuilder(tree.events);
  copyTree(builder, tree, { kept });
  const leftOut = tree.events.flatMap((event) => {
    const ofSamples = eventTotal(event);
    const samples = ofSamples - event.self.reduce((sum, weight, node) => (kept[node] === 1 ? sum + weight : sum), 0);
    return samples === 0 ? [] : [{ event: event.name, samples, ofSamples }];
  });
  return { ...builder.build(), ...(leftOut.length === 0 ? {} : { leftOut }) };
}

function ownerOf(part: ReturnType<typeof recorderPartByName>, name: string, caller: Owner): Owner {
  if (caller === 'recorder' || part === 'work' || (caller === 'hook' && helpsRecorder(name))) return 'recorder';
  return part === 'hook' ? 'hook' : 'app';
}
