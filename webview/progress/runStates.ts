import { findingTexts } from '../../src/model/domain/findings.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { noticeablePercent } from '../../src/model/domain/interference.ts';
import { interferencePhrase } from '../../src/model/presentation/interferenceWords.ts';
import type { RunRecord, RunSummary, Trial } from '../../src/model/domain/run.ts';
import { tunedAnswers } from '../../src/model/domain/runResult.ts';
import { ask } from '../kit/page/ask.ts';
import { clockPhrase } from '../kit/figures/words.ts';
import { failingRoute } from './failingRoute.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { failureBox, messageBox } from '../kit/controls/messageBox.ts';
import type { RunSoFar } from './runSoFar.ts';

const offeredRuns = 8;

/** What to say above a run that failed, was cancelled, or of which nothing counts. */
export function stateOfRun(run: RunRecord, from: EventTarget): TemplateResult | typeof nothing {
  if (run.failure && run.state === 'failed') {
    return failureBox(run.failure, { tell: (message) => ask(from, message), target: onlyTarget(run.trials) });
  }
  if (run.state === 'cancelled') {
    const answered = tunedAnswers(run).some((answer) => answer.values !== null);
    return messageBox({
      kind: 'warning',
      title: 'This run was cancelled.',
      text: answered
        ? 'What was measured until then is kept, and what it says is below.'
        : 'What was measured until then is shown. It is not enough to recommend anything.',
    });
  }
  // Where anything counts, the page is about that: what is discarded is hatched, and its reasons are next to it.
  const cardsSayIt = run.result.kind !== 'tune' && run.recommendations.length === 0 && run.trials.length > 0;
  if (!run.valid && run.reasons.length > 0 && !cardsSayIt && !run.trials.some((trial) => trial.valid)) {
    const [first = '', ...others] = findingTexts(run.reasons);
    return messageBox({
      kind: 'warning',
      title: 'This run is not valid: something else than the settings was measured.',
      text: first,
      ...(others.length === 0 ? {} : { detail: others.join('\n'), folded: `${others.length} more` }),
    });
  }
  return nothing;
}

/** The target that a run is about, when it is about one. */
function onlyTarget(trials: readonly Pick<Trial, 'target'>[]): string | undefined {
  const [first, ...others] = new Set(trials.map(({ target }) => target));
  return others.length === 0 ? first : undefined;
}

/** What to say of a run that has ended and whose record is not on show: nothing while it is on its way. */
export function endOfProgress(progress: RunSoFar, hasRuns: boolean, close: () => void, from: EventTarget): TemplateResult | typeof nothing {
  const { finished } = progress;
  if (!finished || (finished.stored && finished.outcome === 'complete')) return nothing;
  const closing = { text: hasRuns ? 'Show Earlier Runs' : 'Close', run: close };
  if (finished.failure && finished.outcome === 'failed') {
    const { routes } = finished.failure;
    if (routes !== undefined) return failingRoute(routes, (message) => ask(from, message), [closing]);
    const target = onlyTarget(progress.trials);
    const again = { text: 'Run Again', primary: true, run: () => ask(from, { type: 'measureAgain' }) };
    // What ended before it was ready does so again until its file is corrected.
    const [before, after] = finished.failure.code === 'target-exited' ? [[], [{ ...again, primary: false }]] : [[again], []];
    return failureBox(finished.failure, { tell: (message) => ask(from, message), target, before, after: [...after, closing] });
  }
  const kept = finished.stored ? 'What was measured is kept.' : 'Nothing of it was kept.';
  const title = finished.outcome === 'cancelled' ? 'Cancelled.' : 'Finished.';
  return messageBox({ kind: 'warning', title, text: kept, actions: [closing] });
}

/** Without a run: what to do to get one, and the latest ones. */
export function chooseARun(summaries: readonly RunSummary[] | null, loading: boolean, from: EventTarget): TemplateResult {
  if (loading || summaries === null) return messageBox({ title: 'Loading…' });
  const runs = summaries.flatMap((run) => (run.kind === 'run' ? [run] : []));
  if (runs.length === 0) {
    return messageBox({
      title: 'No run yet.',
      text: 'Choose a target, a range of pool sizes such as 2..64, and a budget such as 2 min, then press Run. PostgreSQL and the target are started, measured and stopped for you.',
      actions: [{ text: 'Check This Machine', run: () => ask(from, { type: 'checkMachine' }) }],
    });
  }
  const now = new Date();
  return html`${messageBox({ title: 'Choose a run to look at, or press Run for a new one.' })}
    <ul class="runs" aria-label="Latest runs">
      ${runs.slice(0, offeredRuns).map(
        (run) =>
          html`<li>
            <span class="muted">${clockPhrase(run.startedAt, now)}</span>
            ${linkButton(`${run.headline || run.title}${run.valid ? '' : ' (not valid)'}${interferenceAside(run)}`, () =>
              ask(from, { type: 'openRun', id: run.id }),
            )}
          </li>`,
      )}
    </ul>`;
}

function interferenceAside({ takenPercent }: Extract<RunSummary, { kind: 'run' }>): string {
  return takenPercent === null || takenPercent < noticeablePercent ? '' : ` (${interferencePhrase(takenPercent)})`;
}
