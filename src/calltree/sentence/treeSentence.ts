import { type CallTree, type EventColumn, nodeRoles } from '../../model/domain/callTree.ts';
import { shareFunctions } from '../comparison.ts';
import type { DiffSide, TreeDiff } from '../diffTrees.ts';
import { chooseEvent, eventTotal } from '../totals.ts';
import { type CauseSource, causesOf } from './causes.ts';
import { type ChangeSide, changeSentence } from './changeSentence.ts';
import { flameSentence } from './flameSentence.ts';
import type { FlameSentence } from './sentenceParts.ts';

const idle = nodeRoles.indexOf('idle');

/** The sentence over an event of a whole recording, threads without work left out. `requests`: served while it was recorded, null where not known. */
export function treeSentence(tree: CallTree, event: EventColumn, requests: number | null): FlameSentence {
  const { source, hiddenIdle } = busySource(tree, event);
  const { name, unit } = event;
  const samples = samplesOf(tree, event);
  return flameSentence(causesOf(source), { event: name, unit, functions: tree.functions, requests, samples, hiddenIdle, partial: false });
}

/** An event of a recording without its idle weight, as its causes are looked for; with what was left out. */
export function busySource(tree: CallTree, event: EventColumn): { source: CauseSource; hiddenIdle: number } {
  const { parent, func, line, functions, role } = tree;
  const { self, rest } = event;
  const weight = new Float64Array(self.length);
  let hiddenIdle = 0;
  for (let node = 0; node < weight.length; node += 1) {
    const own = (self[node] as number) + (rest?.[node] ?? 0);
    if (role?.[node] === idle) hiddenIdle += own;
    else weight[node] = own;
  }
  return { source: { parent, func, line, functions, weight, role: role ?? null, event: event.name }, hiddenIdle };
}

/** What one side of a comparison has more or less of than the other, per request, by share or as recorded, as it is compared there. */
export function diffSentence(a: DiffSide, b: DiffSide, { event: name, normalise }: Pick<TreeDiff, 'event' | 'normalise'>): FlameSentence {
  const shared = shareFunctions(a.tree.functions, b.tree.functions);
  const sideOf = ({ tree, requests }: DiffSide, number: Int32Array): ChangeSide => {
    const event = chooseEvent(tree, name);
    const { source } = busySource(tree, event);
    const func = source.func.map((one) => (one < 0 ? -1 : (number[one] as number)));
    const causes = causesOf({ ...source, func, functions: shared.names });
    const by = normalise === 'raw' ? 1 : normalise === 'request' ? (requests ?? 0) : causes.total;
    return { causes, scale: by > 0 ? 1 / by : 0, samples: samplesOf(tree, event) };
  };
  const { unit } = chooseEvent(a.tree, name);
  return changeSentence(sideOf(a, shared.ofA), sideOf(b, shared.ofB), { event: name, unit, by: normalise, functions: shared.names });
}

function samplesOf(tree: CallTree, event: EventColumn): number | null {
  return sampleCounts(tree)[tree.events.indexOf(event)] ?? null;
}

/** How many samples make up each event, in their order; null where the recording has no samples. */
export function sampleCounts({ samples, events }: CallTree): (number | null)[] {
  const counts = new Float64Array(256);
  for (const event of samples?.event ?? []) counts[event] = (counts[event] as number) + 1;
  return events.map((event, index) => {
    if ((counts[index] as number) > 0) return counts[index] as number;
    return event.unit === 'count' ? eventTotal(event) : null;
  });
}
