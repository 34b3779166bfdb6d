import type { CallTree, LeftOutSamples } from '../model/domain/callTree.ts';
import { type EventHead, CallTreeBuilder } from './callTreeBuilder.ts';
import { copyTree } from './copyTree.ts';
import { inOrderOfTime } from './sampleOrder.ts';

/**
 * Two recordings as one: events of the same name and unit are added, all others are kept side by side, with what is known of tiers, threads, states,
 * samples and line ticks. Roles depend on the whole stack and are not carried along: `withRoles` finds them in the new tree.
 */
export function joinTrees(a: CallTree, b: CallTree): CallTree {
  const events: EventHead[] = a.events.map(({ name, unit }) => ({ name, unit }));
  const numbers = (tree: CallTree): number[] =>
    tree.events.map(({ name, unit }) => {
      const known = events.findIndex((event) => event.name === name && event.unit === unit);
      return known === -1 ? events.push({ name, unit }) - 1 : known;
    });
  const [eventsOfA, eventsOfB] = [numbers(a), numbers(b)];
  const builder = new CallTreeBuilder(events);
  copyTree(builder, a, { eventOf: eventsOfA });
  copyTree(builder, b, { eventOf: eventsOfB });
  const leftOut = leftOutOfBoth(a, b);
  const tree = builder.build();
  const remarks = [...(a.remarks ?? []), ...(b.remarks ?? [])];
  const cores = a.cores ?? b.cores;
  return {
    ...tree,
    samples: inOrderOfTime(tree.samples),
    ...(cores === undefined ? {} : { cores }),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

function leftOutOfBoth(a: CallTree, b: CallTree): LeftOutSamples[] {
  const sums = new Map<string, LeftOutSamples>();
  for (const { event, samples, ofSamples, weight } of [...(a.leftOut ?? []), ...(b.leftOut ?? [])]) {
    const sum = sums.get(event) ?? { event, samples: 0, ofSamples: 0 };
    const both = weight === undefined && sum.weight === undefined ? {} : { weight: (weight ?? 0) + (sum.weight ?? 0) };
    sums.set(event, { event, samples: sum.samples + samples, ofSamples: sum.ofSamples + ofSamples, ...both });
  }
  return [...sums.values()];
}
