import type { HeavyPart } from '../../calltree/sentence/heaviestParts.ts';
import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import { type DiagnosisKind, isOfAppCpu } from '../../model/domain/diagnosisKind.ts';
import { advice } from './actions.ts';

/** What is recorded of the thing that limits, where a recording can say what takes most of it; null: none can. */
export function recordedEventOf(kind: DiagnosisKind): 'cpu' | 'alloc' | null {
  if (kind === 'gc') return 'alloc';
  return isOfAppCpu(kind) || kind === 'oversubscribed' ? 'cpu' : null;
}

/** A function that takes less is not what to change first. */
const worthChanging = 0.25;

/** Adds to a verdict what its recording shows of `event`, the heaviest part first: changing it comes before anything else, and recording it is done. */
export function withHottest(diagnosis: Diagnosis, event: 'cpu' | 'alloc', parts: readonly HeavyPart[]): Diagnosis {
  if (parts.length === 0) return diagnosis;
  const first = parts.find(({ kind, share }) => kind === 'code' && share >= worthChanging);
  const rest = diagnosis.actions.filter((action) => action.kind !== 'record' || action.event !== event);
  return {
    ...diagnosis,
    why: [...diagnosis.why, { code: 'hottest', event, parts: [...parts] }],
    actions: first === undefined ? rest : [advice({ code: 'change-hottest', event, name: first.name, place: first.place }), ...rest],
  };
}
