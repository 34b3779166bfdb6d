import type { Comparison } from '../../src/model/domain/comparison.ts';
import type { FromPanel } from '../../src/model/protocol/panel.ts';
import type { Chosen } from '../compare/compareView.ts';
import type { PanelState } from './panelState.ts';

/** The run that is shown and the one before it, or the one after it where it is the oldest: the base is the older one. Empty where there is none. */
export function obviousPair({ runs, run }: Pick<PanelState, 'runs' | 'run'>): Chosen {
  const ids = (runs ?? []).flatMap((one) => (one.kind === 'run' ? [one.id] : []));
  const shown = run?.id ?? ids[0] ?? '';
  const at = ids.indexOf(shown);
  const older = ids[at + 1];
  if (older !== undefined) return { a: older, b: shown };
  const newer = ids[at - 1];
  return newer === undefined ? { a: '', b: shown } : { a: shown, b: newer };
}

/** What Compare shows: what was chosen, and the obvious pair where nothing was; that one follows the runs until there are two. */
export function comparedPair(state: Pick<PanelState, 'runs' | 'run' | 'chosen'>): Chosen {
  return state.chosen.a === '' && state.chosen.b === '' ? obviousPair(state) : state.chosen;
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
