import { durationPhrase, figure, settingsPhrase, wholeNumber } from '../model/format.ts';
import type { RunRecord } from '../model/run.ts';
import type { TunedSetting, TuningAnswer } from '../model/tuning.ts';
import type { TextTable } from '../engine/report/table.ts';
import { noFigure } from '../engine/report/table.ts';
import { statusWord } from '../engine/report/words.ts';
import { disturbanceLines, runCondition, witnessLines } from './evidenceLines.ts';
import { textTable } from './textTable.ts';
import { p99Of, verdictNotes } from './tuneDocument.ts';
import { measuredThroughput, reasonsOf, withoutTable } from './voidValues.ts';

/** A tuning as the terminal shows it: the answer in words, the figures, what must be known of them, where to set it. */
export function tuneText(record: RunRecord): string {
  const { tuning } = record;
  if (tuning === null) return `${record.title}: nothing was tuned.\nRun ${record.id}`;
  const head = [record.title, durationPhrase(record.durationMs), tuning.stage, runCondition(record.trials)].filter(Boolean).join(' · ');
  return ['', head, ...tuning.answers.flatMap((answer) => ['', ...answerLines(answer, record)]), '', `Run ${record.id}`].join('\n');
}

/** “Use pool size 8 (confirmed)”; a headline that says that it cannot tell needs no status. */
export function headlineWithStatus({ headline, status }: TuningAnswer): string {
  return status === 'undecided' ? headline : `${headline} (${statusWord[status].toLowerCase()})`;
}

function answerLines(answer: TuningAnswer, record: RunRecord): string[] {
  return [
    `${answer.targetLabel}: ${headlineWithStatus(answer)}`,
    ...witnessLines(answer.witnesses),
    ...(answer.why === '' ? [] : [withoutTable(answer.why)]),
    ...(answer.whyLine === null ? [] : [answer.whyLine]),
    '',
    textTable(answerTable(answer, record)),
    '',
    ...answer.settings.flatMap((one) => reasonsOf(one, record).map((reason) => `! ${settingsPhrase(one.values)}: ${reason}`)),
    ...disturbanceLines(
      record,
      record.trials.filter((trial) => trial.target === answer.target),
    ),
    ...verdictNotes(answer, record).map((note) => `${isRefusal(note, answer) ? '!' : '·'} ${note}`),
    ...answer.where.map(
      ({ how, file, line }) => `→ ${how}${file === null ? '' : ` Its default stands in ${file}${line === null ? '' : `:${line}`}.`}`,
    ),
  ];
}

function isRefusal(note: string, { gates }: TuningAnswer): boolean {
  return gates.some((gate) => gate.severity === 'refuse' && gate.sentence.trim() === note);
}

/** One row for each value (or combination), in the order in which they were given. */
export function answerTable(answer: TuningAnswer, record: RunRecord): TextTable {
  const { settingNames, settingLabels, openRate } = answer;
  const number = (title: string): TextTable['columns'][number] => ({ title, numeric: true, muted: false });
  return {
    columns: [
      ...settingNames.map((name) => number(settingLabels[name] ?? name)),
      number('req/s'),
      number('95 % interval'),
      number('of best'),
      number(openRate === null ? 'p99 ms' : `p99 ms at ${wholeNumber(openRate)}/s`),
      number('predicted'),
      number('blocks'),
      { title: 'verdict', numeric: false, muted: false },
    ],
    rows: answer.settings.map((one) => {
      const isAnswer = answer.values !== null && sameValues(one, answer.values, settingNames);
      const isBest = answer.best !== null && sameValues(one, answer.best.values, settingNames);
      const { mean, ciLow, ciHigh } = measuredThroughput(one, record);
      // Under a heading that names a rate, a figure of the closed loop would be another quantity.
      const p99Ms = openRate === null ? p99Of(one, record.trials) : (one.openLoop?.p99Ms ?? null);
      return {
        ...{ trialKey: one.trialKey, target: answer.target, valid: one.valid, recommended: isAnswer },
        cells: [
          ...settingNames.map((name) => String(one.values[name] ?? noFigure)),
          mean === 0 ? noFigure : wholeNumber(mean),
          ciLow === null || ciHigh === null ? noFigure : `${wholeNumber(ciLow)} – ${wholeNumber(ciHigh)}`,
          ofBest(one),
          p99Ms === null ? noFigure : `${figure(p99Ms)}${one.openLoop?.carried === false ? ' (too slow for this rate)' : ''}`,
          one.predicted === null ? noFigure : wholeNumber(one.predicted),
          String(one.blocks),
          verdictOf(one, isAnswer, isBest),
        ],
      };
    }),
  };
}

function ofBest({ ratioToBest }: TunedSetting): string {
  if (ratioToBest === null) return noFigure;
  const percent = (share: number): string => (share * 100).toFixed(0);
  const { mean, ciLow, ciHigh } = ratioToBest;
  return ciLow === null || ciHigh === null ? `${percent(mean)} %` : `${percent(mean)} % (${percent(ciLow)} – ${percent(ciHigh)})`;
}

function verdictOf(one: TunedSetting, isAnswer: boolean, isBest: boolean): string {
  if (!one.valid) return 'void';
  if (one.blocks === 0) return 'not measured';
  return isAnswer ? 'recommended' : isBest ? 'best' : '';
}

function sameValues(one: TunedSetting, values: TunedSetting['values'], names: readonly string[]): boolean {
  return names.every((name) => one.values[name] === values[name]);
}
