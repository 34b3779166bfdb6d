import type { Comparison } from '../../src/model/comparison.ts';
import type { FromPanel } from '../../src/model/panel.ts';
import type { Chosen } from '../compare/compareView.ts';
import type { PanelState } from './panelState.ts';

/** The run that is shown, and the one before it; empty where there is none. */
export function obviousPair({ runs, run }: Pick<PanelState, 'runs' | 'run'>): Chosen {
  const ids = (runs ?? []).flatMap((one) => (one.kind === 'run' ? [one.id] : []));
  const b = run?.id ?? ids[0] ?? '';
  return { a: ids[ids.indexOf(b) + 1] ?? ids.find((id) => id !== b) ?? '', b };
}

/** What to ask the extension for; `null` where both sides are not chosen yet, or their comparison is there already. */
export function comparisonToAsk(
  known: Comparison | null,
  { a, b, trialA, trialB }: Chosen,
): Extract<FromPanel, { type: 'compare' }> | null {
  const isKnown =
    known?.a.id === a && known.b.id === b && (known.a.trialKey ?? undefined) === trialA && (known.b.trialKey ?? undefined) === trialB;
  const ready = a !== '' && b !== '' && (a !== b || (trialA !== undefined && trialB !== undefined && trialA !== trialB));
  if (!ready || isKnown) return null;
  return { type: 'compare', a, b, ...(trialA === undefined ? {} : { trialA }), ...(trialB === undefined ? {} : { trialB }) };
}
