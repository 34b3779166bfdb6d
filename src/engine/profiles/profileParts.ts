import type { CallTree, EventColumn } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { packSamples, packTree } from '../../model/domain/packedTree.ts';
import { sampleCounts } from '../../calltree/sentence/treeSentence.ts';
import { skeletonOf } from '../../calltree/skeleton.ts';
import { withRoles } from '../../calltree/stackRoles.ts';
import { chooseEvent, eventTotal } from '../../calltree/totals.ts';

/** A recording in the parts that cross to a page. All of them are made when they are first asked for, and kept. */
export interface ProfileParts {
  /** The recording with the roles of its nodes. */
  tree: CallTree;
  /** Events that weigh anything; where none does, all of them. */
  events: { name: string; unit: EventColumn['unit']; total: number; samples: number | null }[];
  /** The event that is shown first; '' where the recording has none. */
  defaultEvent: string;
  /** The packed nodes wide enough to see, of one event; null where there is no such event. */
  skeleton(event: string): Uint8Array | null;
  /** The packed tree. */
  packedTree(): Uint8Array;
  /** The packed samples; null where the order of time is not known. */
  packedSamples(): Uint8Array | null;
}

/** The order in which an event is chosen to be shown first; those that are not named come last, in the order of the recording. */
const preferred = ['cpu', 'wall', 'poolWait', 'database', 'alloc', 'heap', 'lock'];
/** Skeletons that are kept: Benchside's recordings have at most as many events. */
const keptSkeletons = 8;

/** Makes a recording ready to be shown: finds what its stacks wait for, and how much each event weighs. */
export function prepareProfile(recording: CallTree): ProfileParts {
  const tree = withRoles(recording);
  const counts = sampleCounts(tree);
  const all = tree.events.map((event, index) => ({
    name: event.name,
    unit: event.unit,
    total: eventTotal(event),
    samples: counts[index] ?? null,
  }));
  const weighing = all.filter((event) => event.total > 0);
  const rank = (name: string): number => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length);
  const [first] = [...weighing].sort((a, b) => rank(a.name) - rank(b.name));
  const skeletons = new Map<string, Uint8Array>();
  let packed: Uint8Array | null = null;
  let samples: Uint8Array | null | undefined;
  return {
    tree,
    events: weighing.length > 0 ? weighing : all,
    defaultEvent: first?.name ?? all[0]?.name ?? '',
    skeleton(name) {
      const event = tree.events.find((one) => one.name === name);
      if (event === undefined) return null;
      if (skeletons.size >= keptSkeletons && !skeletons.has(name)) skeletons.clear();
      return remembered(skeletons, name, () => packTree(skeletonOf(tree, event)));
    },
    packedTree: () => (packed ??= packTree(tree)),
    packedSamples() {
      if (samples === undefined) samples = packSamples(tree.samples);
      return samples;
    },
  };
}

/** The event of that name, or the one that is shown first; fails with `no-such-event`. */
export function shownEvent({ tree, defaultEvent }: ProfileParts, name: string | null): EventColumn {
  return chooseEvent(tree, name ?? (defaultEvent === '' ? null : defaultEvent));
}
