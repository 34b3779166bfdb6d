import { findingText } from '../model/domain/findings.ts';
import { durationPhrase, figure } from '../model/domain/format.ts';
import { withStop } from '../model/domain/sentence.ts';
import type { RunRecord } from '../model/domain/run.ts';
import type { RunNote } from '../model/domain/runNoteKinds.ts';
import { present } from '../model/presentation/present.ts';
import { isAdvisable, stepsOfRecommendation } from '../model/presentation/nextStep.ts';
import { instanceTable, presentedRun, resourceTable, runTable, tableNote } from '../model/presentation/runTable.ts';
import { noteTexts } from '../model/presentation/runNotes.ts';
import { headlineWithStatus, runBadge } from '../model/presentation/runWords.ts';
import { stepsTable } from '../model/presentation/experimentTables.ts';
import { trialPhrase } from '../model/presentation/settingWords.ts';
import { besideStep } from '../model/domain/answerReason.ts';
import { whyText } from '../model/domain/tuningAnswers.ts';
import { reportedVerdicts } from '../model/presentation/documents/runFacts.ts';
import { evidenceLines, interferenceLines, nextStepLine, runCondition } from './answerLines.ts';
import { textTable } from './textDocument.ts';

/** A run as the terminal shows it: the answer, the table, the notes. */
export function runText(run: RunRecord): string {
  const shown = presentedRun(run);
  const instances = instanceTable(shown);
  const answers = run.recommendations.flatMap((answer) => {
    const why = whyText({ ...answer, why: besideStep(answer.why) });
    return present(
      `${answer.targetLabel}: ${headlineWithStatus(answer)}.`,
      evidenceLines(answer.evidence),
      why !== '' && `  ${why}`,
      nextStepLine(stepsOfRecommendation(answer, run), run),
    );
  });
  const head = [run.title, durationPhrase(run.durationMs), runBadge(run).text, runCondition(run.trials)].filter((part) => part !== '');
  return present(
    '',
    head.join(' · '),
    '',
    answers,
    noteTexts(run.notes.filter(isAnswer)),
    '',
    textTable(runTable(shown)),
    '',
    textTable(resourceTable(shown)),
    '',
    verdictLines(run),
    roleSteps(run),
    instances.rows.length > 0 && [textTable(instances), ''],
    `· ${tableNote(shown)}`,
    interferenceLines(run, run.trials),
    rateLines(run),
    run.reasons.map((reason) => `! ${findingText(reason)}`),
    noteTexts(run.notes.filter((note) => !isAnswer(note))).map((text) => `· ${text}`),
    run.noiseFloorPercent !== null && `· Differences below about ${figure(run.noiseFloorPercent)} % are lost in this run’s noise.`,
    `Run ${run.id}`,
  ).join('\n');
}

/** The notes of a comparison of values are in the place of another run's answer. */
function isAnswer({ code }: RunNote): boolean {
  return code === 'variant-compared' || code === 'sides-answer-otherwise' || code === 'statements-grow';
}

/** What the fixed rate of a run says of its trials. */
function rateLines(run: RunRecord): string[] {
  const { ratePerS } = run.load;
  if (ratePerS === undefined) return [];
  const slow = run.trials.filter(({ openLoop }) => openLoop?.carried === false).map((trial) => trialPhrase(run, trial));
  return present(
    `· At a fixed rate of ${figure(ratePerS)} requests/s: latency counts from the time at which each request was to be sent, and the values are compared by it.`,
    slow.length > 0 &&
      `! Cannot carry ${figure(ratePerS)} requests/s: ${slow.join(', ')}. Their latency says only how long the blocks were.`,
  );
}

/** What limits each trial, why, and the first thing to do. */
function verdictLines(run: RunRecord): string[] {
  const lines = reportedVerdicts(run).flatMap(({ about, text, more }) => {
    const [next] = more?.next ?? [];
    return present(
      `${about}: ${text}`,
      more !== undefined && more.explanation !== '' && `  ${more.explanation}`,
      next !== undefined && `  Next: ${withStop(next)}`,
    );
  });
  return lines.length === 0 ? [] : [...lines, ...adviseLine(run), ''];
}

/** The next step of a verdict: what could help is tried. Of a run that measured one thing. */
function adviseLine(run: RunRecord): string[] {
  const { id, trials } = run;
  return trials.length === 1 && isAdvisable(run, trials[0]) ? [`→ Try what could help: benchside advise --from ${id}`] : [];
}

/** What each step of the roles took, where the load had some; of several targets with their names. */
function roleSteps({ trials }: RunRecord): string[] {
  const several = new Set(trials.map(({ target }) => target)).size > 1;
  const steps = trials.flatMap((trial) =>
    trial.steps.map((step) => (several ? { ...step, role: `${trial.targetLabel}: ${step.role}` } : step)),
  );
  return steps.length === 0 ? [] : [textTable(stepsTable(steps)), ''];
}
