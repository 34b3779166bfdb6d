import { besideStep, reasonsText } from '../model/domain/answerReason.ts';
import { durationPhrase, settingsPhrase } from '../model/domain/format.ts';
import type { RunRecord } from '../model/domain/run.ts';
import { presentedRun, runTable, tableNote } from '../model/presentation/runTable.ts';
import { headlineWithStatus } from '../model/presentation/runWords.ts';
import { stepsOfTuning } from '../model/presentation/nextStep.ts';
import type { TuningAnswer } from '../model/domain/tuning.ts';
import { interferenceLines, runCondition, evidenceLines } from './evidenceLines.ts';
import { nextStepLine } from './nextStepLine.ts';
import { textTable } from './textTable.ts';
import { verdictNotes } from './tuneDocument.ts';

/** A tuning as the terminal shows it: the answer in words, the figures, what must be known of them, where to set it. */
export function tuneText(record: RunRecord): string {
  const { result } = record;
  if (result.kind !== 'tune') return `${record.title}: nothing was tuned.\nRun ${record.id}`;
  const head = [record.title, durationPhrase(record.durationMs), result.stage, runCondition(record.trials)].filter(Boolean).join(' · ');
  return ['', head, ...result.answers.flatMap((answer) => ['', ...answerLines(answer, record)]), '', `Run ${record.id}`].join('\n');
}

function answerLines(answer: TuningAnswer, record: RunRecord): string[] {
  const trials = record.trials.filter((trial) => trial.target === answer.target);
  const shown = { ...presentedRun(record), trials, answers: [answer] };
  const table = runTable(shown);
  // The next step has a command for what would decide.
  const notes = verdictNotes(answer, record, []);
  const values = new Map(answer.settings.map((one) => [one.trialKey, settingsPhrase(one.values)]));
  return [
    `${answer.targetLabel}: ${headlineWithStatus(answer)}`,
    ...evidenceLines(answer.evidence),
    ...(answer.why.length === 0 ? [] : [reasonsText(besideStep(answer.why))]),
    ...nextStepLine(stepsOfTuning(answer, record), record),
    '',
    textTable(table),
    '',
    `· ${tableNote(shown)}`,
    ...table.rows.flatMap(({ key, reasons }) => reasons.map((reason) => `! ${values.get(key) ?? key}: ${reason}`)),
    ...interferenceLines(record, trials),
    ...notes.map(({ text, isRefusal }) => `${isRefusal ? '!' : '·'} ${text}`),
    ...answer.where.map(
      ({ how, file, line }) => `→ ${how}${file === null ? '' : ` Its default stands in ${file}${line === null ? '' : `:${line}`}.`}`,
    ),
  ];
}
