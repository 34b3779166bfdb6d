import { type Fields, isFields, listed } from './sentencesToFindings.ts';

/** A record of version 3, which had a field for what each kind of measurement found, and δ and the objective of a tuning in its own request alone. */
export function oneResult({ tuning, study, versions, ...record }: Fields): Record<string, unknown> {
  const asked = isFields(tuning) && isFields(tuning['request']) ? tuning['request'] : {};
  const slo = asked['slo'];
  return {
    ...record,
    ...('delta' in asked ? { delta: asked['delta'] } : {}),
    ...(slo !== undefined && isFields(record['request']) ? { request: { ...record['request'], slo } } : {}),
    result: isFields(versions)
      ? { ...versions, kind: 'diff' }
      : isFields(study)
        ? { ...study, kind: 'study' }
        : isFields(tuning)
          ? { ...tuning, kind: 'tune' }
          : { kind: isLive(record) ? 'live' : 'run' },
  };
}

/** A session in which settings were moved by hand: none of its trials counts. */
function isLive({ plan, trials }: Fields): boolean {
  return isFields(plan) && plan['mode'] === 'live' && listed(trials).every(({ valid }) => valid === false);
}
