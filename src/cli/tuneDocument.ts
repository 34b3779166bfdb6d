import { stepText } from '../model/domain/progress/stepKinds.ts';
import { withStop } from '../model/domain/sentence.ts';
import { answerHeadline } from '../model/domain/answerFacts.ts';
import { besideStep, reasonsText } from '../model/domain/answerReason.ts';
import { isNoticeable } from '../model/domain/interference.ts';
import { durationPhrase, settingsPhrase, spanPhrase } from '../model/domain/format.ts';
import { type Gate, gateText } from '../model/domain/gate.ts';
import { freshText, probeCostText } from '../model/domain/freshFinding.ts';
import { modeText } from '../model/domain/modeReason.ts';
import type { RunRecord, Trial } from '../model/domain/run.ts';
import { tunedAnswers } from '../model/domain/runResult.ts';
import { stepsOfTuning } from '../model/presentation/nextStep.ts';
import { noteTexts } from '../model/presentation/runNotes.ts';
import { presentedRun, runTable, tableNote } from '../model/presentation/runTable.ts';
import { headlineWithStatus } from '../model/presentation/runWords.ts';
import type { SettingValue, SettingValues } from '../model/domain/setting.ts';
import type { TunedSetting, TuningAnswer } from '../model/domain/tuning.ts';
import { measuredThroughput, reasonsOf } from '../model/domain/tuningAnswers.ts';
import { evidenceLines, interferenceLines, nextStepLine, runCondition } from './answerLines.ts';
import { textTable } from './textDocument.ts';
import { wordedEvidence } from './wordedRun.ts';

/**
 * What `benchside tune --json` prints: the document of the first target, and where there were several, all of them in `targets`. Null for a record that is
 * not that of a tuning.
 */
export function tuneDocument(record: RunRecord) {
  const documents = tunedAnswers(record).map((answer) => ({ target: answer.target, ...targetDocument(answer, record) }));
  const first = documents[0];
  if (first === undefined) return null;
  const { target: _target, ...document } = first;
  return { ...document, ...(documents.length > 1 ? { targets: documents } : {}) };
}

function targetDocument(answer: TuningAnswer, record: RunRecord) {
  // Of several settings tuned together, their values by name.
  const value = (values: SettingValues): SettingValue | SettingValues => {
    const [only] = answer.settingNames;
    return (answer.settingNames.length === 1 && only !== undefined ? values[only] : undefined) ?? values;
  };
  const recommended = answer.values === null ? null : value(answer.values);
  const alone = typeof recommended === 'object' ? null : recommended;
  return {
    recommendation: {
      setting: answer.settingNames.join(','),
      value: recommended,
      status: answer.status,
      plausible: answer.plausible ?? (alone === null ? null : [alone, alone]),
      best: answer.best === null ? null : { value: value(answer.best.values), throughput: answer.best.throughput },
      ...(answer.evidence.length === 0 ? {} : { evidence: answer.evidence.map(wordedEvidence) }),
      facts: answer.facts,
      why: [answerHeadline(answer), reasonsText(besideStep(answer.why))].map(withStop).filter(Boolean).join(' '),
    },
    settings: answer.settings.map((one) => ({
      value: value(one.values),
      throughput: measuredThroughput(one, record),
      ratioToBest: one.ratioToBest ?? { mean: ratioOf(one, answer, record), ciLow: null, ciHigh: null },
      p99Ms: p99Of(one, record.trials),
      valid: one.valid,
      reasons: reasonsOf(one, record),
      ...disturbed(one, record),
    })),
    verdictNotes: verdictNotes(answer, record).map(({ text }) => text),
  };
}

/** Everything that the reader must know in addition to the answer, each once, most important first; and whether it is why nothing is ranked. */
function verdictNotes(answer: TuningAnswer, record: RunRecord, deciding = decidingNote(answer)): { text: string; isRefusal: boolean }[] {
  const gates = (severity: Gate['severity']): string[] => answer.gates.filter((gate) => gate.severity === severity).map(gateText);
  const refusing = new Set(gates('refuse').map((text) => text.trim()));
  const notes = [
    ...refusing,
    ...deciding,
    ...gates('flag'),
    ...logNotes(answer, record),
    ...(answer.confirmation === null ? [] : [freshText(answer.confirmation)]),
    `How the values were set: ${answer.mode}. ${modeText(answer.modeReasons)}`,
    ...(record.result.kind !== 'tune' || record.result.probeCost === null ? [] : [probeCostText(record.result.probeCost)]),
    // The document says how its values were set.
    ...noteTexts(record.notes.filter(({ code, about }) => code !== 'mode' || about !== answer.targetLabel)),
  ];
  const texts = new Set(notes.map((note) => note.trim()).filter((note) => note !== ''));
  return [...texts].map((text) => ({ text, isRefusal: refusing.has(text) }));
}

/** How long it would take to decide; a terminal has the command for it instead. */
function decidingNote({ status, moreSeconds }: TuningAnswer): string[] {
  return status === 'confirmed' || moreSeconds === null ? [] : [`About ${spanPhrase(moreSeconds)} more would decide.`];
}

/** Where the last words of values are whose app failed. */
function logNotes(answer: TuningAnswer, { id, trials, plan }: RunRecord): string[] {
  return answer.settings.flatMap(({ trialKey, values }) => {
    const log = plan.commands[trialKey]?.log;
    if (log === undefined || trials.find((trial) => trial.key === trialKey)?.failed === undefined) return [];
    return [`${settingsPhrase(values)}: its log is .benchside/runs/${id}/${log.file}; its last line is “${log.lastLine}”.`];
  });
}

/** p99 at the fixed open rate where it was measured, else that of the closed loop; null where neither is known. */
function p99Of(setting: TunedSetting, trials: readonly Trial[]): number | null {
  return setting.openLoop?.p99Ms ?? trials.find((trial) => trial.key === setting.trialKey)?.latencyMs?.p99 ?? null;
}

function ratioOf(setting: TunedSetting, { best }: TuningAnswer, record: RunRecord): number {
  return best === null || best.throughput <= 0 ? Number.NaN : measuredThroughput(setting, record).mean / best.throughput;
}

/** The share of the CPU that was lost during the measurement, in percent, where that is noticeable. */
function disturbed({ trialKey }: TunedSetting, { trials }: RunRecord): { takenPercent?: number } {
  const interference = trials.find(({ key }) => key === trialKey)?.interference ?? null;
  return interference === null || !isNoticeable(interference) ? {} : { takenPercent: interference.takenPercent };
}

/** A tuning as the terminal shows it: the answer in words, the figures, what must be known of them, where to set it. */
export function tuneText(record: RunRecord): string {
  const { result } = record;
  if (result.kind !== 'tune') return `${record.title}: nothing was tuned.\nRun ${record.id}`;
  const head = [record.title, durationPhrase(record.durationMs), stepText(result.stage), runCondition(record.trials)]
    .filter(Boolean)
    .join(' · ');
  return ['', head, ...result.answers.flatMap((answer) => ['', ...answerLines(answer, record)]), '', `Run ${record.id}`].join('\n');
}

function answerLines(answer: TuningAnswer, record: RunRecord): string[] {
  const trials = record.trials.filter((trial) => trial.target === answer.target);
  const shown = { ...presentedRun(record), trials, answers: [answer] };
  const table = runTable(shown);
  // The next step has a command for what would decide, and the head says that it was cancelled.
  const notes = verdictNotes(answer, { ...record, notes: record.notes.filter(({ code }) => code !== 'cancelled') }, []);
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
