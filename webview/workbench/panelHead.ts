import { durationPhrase } from '../../src/model/domain/format.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import { clockPhrase } from '../kit/figures/words.ts';
import { type PanelState, shownInTune } from './panelState.ts';
import { type Badge, interferenceChip, runBadge } from '../../src/model/presentation/runWords.ts';

/** The top of the panel: the run in progress or the live session where they are on show, else the run on show. */
export interface PanelHead {
  heading: string;
  subtitle: string;
  badge: Badge | null;
  /** The share of the CPU that was lost, where that is noticeable: a chip that leads to the strip. */
  disturbed: string | null;
}

/**
 * The head of the panel in this state: the same on all tabs, so that its actions are of what it names and nothing moves as tabs change. What is under way is named
 * where it is on show: a live session on its tab, a measurement on those that show it, or on all while there is no run.
 */
export function panelHead(state: PanelState, now: Date): PanelHead {
  const { run, session, view, runs } = state;
  if (view === 'live' && session?.phase === 'running')
    return { heading: `Live: ${session.targetLabel}`, subtitle: 'running now', badge: null, disturbed: null };
  if (view === 'advise') {
    const { progress, record } = state.advice;
    const target = progress?.targetLabel ?? record?.advice.targetLabel;
    const subtitle =
      progress !== null
        ? 'running now'
        : record === null
          ? 'cures that are tried, not guessed'
          : `tried ${clockPhrase(record.startedAt, now)}`;
    return { heading: target === undefined ? 'What would help?' : `What would help? ${target}`, subtitle, badge: null, disturbed: null };
  }
  const shown = shownInTune(state);
  if (shown && 'progress' in shown && (run === null || view === 'tune' || view === 'experiments' || view === 'versions')) {
    const outcome = shown.progress.finished?.outcome;
    const subtitle = outcome === undefined ? 'running now' : `run ${outcome === 'complete' ? 'finished' : outcome}`;
    return { heading: shown.progress.title, subtitle, badge: null, disturbed: chipOf(shown.progress.trials, outcome === undefined) };
  }
  if (run) {
    const took = run.result.kind === 'experiment' ? `, ${durationPhrase(run.durationMs)}` : '';
    return {
      heading: run.title,
      subtitle: `run ${clockPhrase(run.startedAt, now)}${took}`,
      badge: runBadge(run),
      disturbed: chipOf(run.trials, false),
    };
  }
  const kept = runs === null ? '' : runs.length === 0 ? 'no run yet' : `${runs.length} run${runs.length === 1 ? '' : 's'} kept`;
  return { heading: 'Workbench', subtitle: kept, badge: null, disturbed: null };
}

function chipOf(trials: readonly Trial[], soFar: boolean): string | null {
  const words = interferenceChip({ trials });
  if (words === '') return null;
  return soFar ? words.replace('interference:', 'interference so far:') : words;
}
