import { repeatCommand } from '../model/presentation/repeatCommand.ts';
import type { NextStep } from '../model/presentation/nextStep.ts';
import type { RunRecord } from '../model/domain/run.ts';

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
