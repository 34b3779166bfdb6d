import type { CallTree } from '../model/domain/callTree.ts';
import { CallTreeBuilder } from './callTreeBuilder.ts';
import { copyFunctions, copyTier, copyWeights } from './copyTree.ts';
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
  const builder = new CallTreeBuilder(tree.events);
  const functions = copyFunctions(builder, tree);
  const places = new Int32Array(tree.nodeCount);
  const owners: Owner[] = ['app'];
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const [func, caller] = [tree.func[node] as number, tree.parent[node] as number];
    const owner = ownerOf(parts[func] ?? null, name[func] ?? '', owners[caller] as Owner);
    owners.push(owner);
    const place = places[caller] as number;
    places[node] = owner === 'app' ? builder.child(place, functions[func] as number, tree.line[node] as number) : place;
    if (owner === 'app') copyTier(builder, places[node] as number, tree, node);
  }
  const events = tree.events.map((event) => ({ ...event, self: event.self.map((weight, node) => (owners[node] === 'app' ? weight : 0)) }));
  copyWeights(builder, { ...tree, events }, places, [...events.keys()]);
  const leftOut = tree.events.flatMap((event, index) => {
    const ofSamples = eventTotal(event);
    const samples = ofSamples - eventTotal(events[index] ?? event);
    return samples === 0 ? [] : [{ event: event.name, samples, ofSamples }];
  });
  return { ...builder.build(), ...(leftOut.length === 0 ? {} : { leftOut }) };
}

function ownerOf(part: ReturnType<typeof recorderPartByName>, name: string, caller: Owner): Owner {
  if (caller === 'recorder' || part === 'work' || (caller === 'hook' && helpsRecorder(name))) return 'recorder';
  return part === 'hook' ? 'hook' : 'app';
}
