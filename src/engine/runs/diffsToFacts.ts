import { type Fields, changed, listed, recorded, strings } from './sentencesToFindings.ts';

/** A record in which a comparison of two versions held its sentences: they are kept as they were written. */
export function diffsToFacts(record: Fields): Record<string, unknown> {
  return { ...record, ...changed(record, 'result', (result) => (result['kind'] === 'diff' ? withFacts(result) : result)) };
}

function withFacts({ headline, reasons, notes, routes, ...diff }: Fields): Fields {
  return {
    ...diff,
    facts: { code: 'recorded', headline: typeof headline === 'string' ? headline : '', reasons: strings(reasons) },
    notes: strings(notes).map(recorded),
    ...(routes === undefined ? {} : { routes: listed(routes).map(withUnknown) }),
  };
}

function withUnknown({ unknown, ...route }: Fields): Fields {
  return { ...route, unknown: typeof unknown === 'string' ? recorded(unknown) : null };
}
