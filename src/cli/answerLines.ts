import { capital } from '../model/domain/sentence.ts';
import { byWhomPhrase, conditionSentence, runInterference, whilePhrase } from '../model/presentation/interferenceWords.ts';
import type { RunRecord, Trial } from '../model/domain/run.ts';
import { type EvidenceItem, evidenceText } from '../model/domain/answerEvidence.ts';
import { disagreement, evidenceNames, evidenceSays } from '../model/presentation/evidenceWords.ts';
import type { NextStep } from '../model/presentation/nextStep.ts';
import { repeatCommand } from '../model/presentation/repeatCommand.ts';
import { trialPhrase } from '../model/presentation/settingWords.ts';

/** What speaks for an answer, a line for each piece of evidence; and that they disagree, where they do. */
export function evidenceLines(evidence: readonly EvidenceItem[]): string[] {
  const apart = disagreement(evidence);
  return [
    ...evidence.map((item) => `  ${evidenceNames[item.kind]} (${evidenceSays[item.says]}): ${capital(evidenceText(item))}`),
    ...(apart === '' ? [] : [`  ${apart}`]),
  ];
}

/** Under what trials were measured, a line for each whose figures were disturbed, or for which a machine without interference can be estimated. */
export function interferenceLines(run: RunRecord, trials: readonly Trial[]): string[] {
  return trials.flatMap((trial) => {
    const said = conditionSentence(trial);
    return said === '' ? [] : [`~ ${trialPhrase(run, trial)}: ${said}`];
  });
}

/** The lost share of the CPU and the programs that used it, as a clause for the head of a run; empty where nothing is to be said. */
export function runCondition(trials: readonly Trial[]): string {
  const mean = runInterference(trials);
  const said = whilePhrase(mean);
  const by = mean === null ? '' : byWhomPhrase(mean);
  return said === '' || by === '' ? said : `${said}, ${by}`;
}

/** The next step of an answer, which the page has as a button, as the command to type; nothing where it is no measurement. */
export function nextStepLine([step]: readonly NextStep[], run: RunRecord): string[] {
  const asked = step === undefined ? null : askedBy(step, run);
  return step === undefined || asked === null ? [] : [`→ ${step.words}: ${repeatCommand(asked)}`];
}

/** The run as it would be with what the step asks for. */
function askedBy(step: NextStep, run: RunRecord): RunRecord | null {
  if (step.kind === 'run') return { ...run, request: step.request };
  if (step.kind !== 'tune' || run.result.kind !== 'tune') return null;
  return { ...run, result: { ...run.result, request: step.request } };
}
