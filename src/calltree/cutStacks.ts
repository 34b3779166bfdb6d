import type { ProfileNote } from '../model/domain/profileNoteKinds.ts';
import type { CallTree, EventColumn } from '../model/domain/callTree.ts';
import { eventTotal } from './totals.ts';
import { treeLimits } from './treeLimits.ts';

/** The frame in place of all frames beyond the limit of depth. An export of the tree contains it, so that the cut is visible there as well. */
export const deeperFrames = '(deeper frames)';

/** The part of an event below the depth to which stacks are read, in the event's unit; 0 where there is none. */
export function cutWeight(tree: CallTree, event: EventColumn): number {
  const func = tree.functions.name.indexOf(deeperFrames);
  if (func === -1) return 0;
  let sum = 0;
  for (let node = 1; node < tree.nodeCount; node += 1) if (tree.func[node] === func) sum += event.self[node] as number;
  return sum;
}

/** A note for each event of which stacks were cut. */
export function cutNotes(tree: CallTree): ProfileNote[] {
  return tree.events.flatMap((event): ProfileNote | [] => {
    const weight = cutWeight(tree, event);
    if (weight === 0) return [];
    const share = weight / eventTotal(event);
    return { code: 'frames-cut', event: event.name, share, depth: treeLimits.depth, frame: deeperFrames };
  });
}
