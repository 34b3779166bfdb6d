import type { Badge } from '../shared/words.ts';
import { runBadge, runSubtitle } from '../shared/words.ts';
import type { PanelState } from './panelState.ts';

/** What stands at the top of the panel: the run in progress in the live view, else the run on show. */
export interface PanelHead {
  heading: string;
  subtitle: string;
  badge: Badge | null;
}

/** The head of the panel in this state. */
export function panelHead(state: PanelState, now: Date): PanelHead {
  const { live, run, view, runs } = state;
  if (view === 'live' && live) {
    const outcome = live.finished?.outcome;
    const subtitle = outcome === undefined ? 'running now' : `run ${outcome === 'complete' ? 'finished' : outcome}`;
    return { heading: live.title, subtitle, badge: null };
  }
  if (run) return { heading: run.title, subtitle: runSubtitle(run, now), badge: runBadge(run) };
  const kept = runs === null ? '' : runs.length === 0 ? 'no run yet' : `${runs.length} run${runs.length === 1 ? '' : 's'} kept`;
  return { heading: 'Workbench', subtitle: kept, badge: null };
}
