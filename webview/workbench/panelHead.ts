import { durationPhrase } from '../../src/model/format.ts';
import type { Trial } from '../../src/model/run.ts';
import { clockPhrase } from '../kit/figures/words.ts';
import type { PanelState } from './panelState.ts';
import { shownInTune, showsStudy } from './panelState.ts';
import type { Badge } from '../../src/model/runWords.ts';
import { disturbedChip, runBadge, runSubtitle } from '../../src/model/runWords.ts';

/** The top of the panel: the run in progress or the live session where they are on show, else the run on show. */
export interface PanelHead {
  heading: string;
  subtitle: string;
  badge: Badge | null;
  /** The share of the CPU that was lost, where that is noticeable: a chip that leads to the strip. */
  disturbed: string | null;
}

/** The head of the panel in this state. */
export function panelHead(state: PanelState, now: Date): PanelHead {
  const { run, session, view, runs } = state;
  if (view === 'live') {
    const load =
      session?.phase === 'running'
        ? [...session.routes.slice(0, 2), `${session.connections} connections`].join(' · ')
        : 'load that keeps running while its settings are moved';
    return { heading: session ? `Live: ${session.targetLabel}` : 'Live', subtitle: load, badge: null, disturbed: null };
  }
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
  if (view === 'studies' && !showsStudy(state))
    return { heading: 'Experiments', subtitle: 'published experiments, repeated on this machine', badge: null, disturbed: null };
  // What is measured now, or was last, is what every other tab is about; without a run, the tab itself.
  const shown = shownInTune(state);
  if (view === 'versions' && run?.result.kind !== 'diff' && !(shown && 'progress' in shown))
    return { heading: 'Compare code', subtitle: 'two versions of this folder, side by side', badge: null, disturbed: null };
  if (shown && 'progress' in shown && (run === null || view === 'tune' || view === 'studies' || view === 'versions')) {
    const outcome = shown.progress.finished?.outcome;
    const subtitle = outcome === undefined ? 'running now' : `run ${outcome === 'complete' ? 'finished' : outcome}`;
    return { heading: shown.progress.title, subtitle, badge: null, disturbed: chipOf(shown.progress.trials, outcome === undefined) };
  }
  if (view === 'studies' && run?.result.kind === 'study') {
    const words = [`${run.result.form} form`, `run ${clockPhrase(run.startedAt, now)}, ${durationPhrase(run.durationMs)}`];
    return { heading: run.title, subtitle: words.join(' · '), badge: runBadge(run), disturbed: chipOf(run.trials, false) };
  }
  if (run)
    return {
      heading: run.title,
      // In these views the line below says what was measured.
      subtitle:
        view === 'tune' || view === 'versions'
          ? `run ${clockPhrase(run.startedAt, now)}`
          : runSubtitle(run, clockPhrase(run.startedAt, now)),
      badge: runBadge(run),
      disturbed: chipOf(run.trials, false),
    };
  const kept = runs === null ? '' : runs.length === 0 ? 'no run yet' : `${runs.length} run${runs.length === 1 ? '' : 's'} kept`;
  return { heading: 'Workbench', subtitle: kept, badge: null, disturbed: null };
}

function chipOf(trials: readonly Trial[], soFar: boolean): string | null {
  const words = disturbedChip({ trials });
  if (words === '') return null;
  return soFar ? words.replace('disturbed:', 'disturbed so far:') : words;
}
