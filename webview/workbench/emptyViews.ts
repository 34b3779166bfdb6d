import type { TemplateResult } from 'lit';
import { messageBox } from '../kit/controls/messageBox.ts';
import { isRunning } from '../progress/runSoFar.ts';
import type { PanelState, View } from './panelState.ts';

/** What the tabs that show a stored run say without one. */
const needs: Partial<Record<View, { title: string; text: string }>> = {
  compare: {
    title: 'There is nothing to compare yet.',
    text: 'Two runs are compared, or two settings that one run measured in the same rounds.',
  },
  flame: {
    title: 'No flame graph yet.',
    text: 'A run records one after it has measured, where “Flame graph” is ticked, or at any time later.',
  },
  raw: { title: 'No figures yet.', text: 'Every figure of a run stands here, as it was stored.' },
};

function homeOf({ advice, progress }: PanelState): View {
  if (advice.progress !== null) return 'advise';
  return progress?.found?.kind === 'experiment' ? 'experiments' : 'tune';
}

/**
 * What a tab says that needs a run while there is none: that one is measured, with the way to it, or what to do to get one. One button each. Null where there
 * is something to show, or where the tab says it itself.
 */
export function emptyView(state: PanelState, show: (view: View) => void): TemplateResult | null {
  const { view, run, runs, progress, awaitedRunId } = state;
  const need = view === 'versions' && run?.result.kind !== 'diff' && isRunning(progress) ? { title: '', text: '' } : needs[view];
  const isEmpty = view === 'compare' ? runs !== null && !runs.some(({ kind }) => kind === 'run') : view === 'versions' || run === null;
  if (need === undefined || !isEmpty || awaitedRunId !== null) return null;
  if (isRunning(progress))
    return messageBox({
      title: `“${progress.title}” is being measured.`,
      text: 'What is known so far is shown where it is measured, and here once it is stored.',
      actions: [{ text: 'Show It', primary: true, run: () => show(homeOf(state)) }],
    });
  const has = runs?.some(({ kind }) => kind === 'run') === true;
  return messageBox({
    ...need,
    ...(has ? { title: 'Choose a run to look at.' } : {}),
    actions: [{ text: has ? 'Show the Latest Runs' : 'Set Up a Run', primary: true, run: () => show('tune') }],
  });
}
