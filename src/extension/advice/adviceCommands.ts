import type { FromPanel } from '../../model/protocol/panel.ts';
import type { ParamsInput } from '../../model/protocol/protocol.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { sendAdvice } from '../panel/sendAdvice.ts';
import { saveReport } from '../runs/saveReport.ts';
import type { Services } from '../services/services.ts';
import { chosenTarget } from '../targets/targetCommands.ts';
import { agrees, offer } from '../kit/safeUi/dialogs.ts';

/** Looks for what helps a target as it starts now: with the values that were applied to it. */
export async function whatWouldHelp(services: Services, targetId: string | undefined): Promise<void> {
  if (await isBusy(services)) return;
  const id = await chosenTarget(services, targetId, 'What would help which target?', 'What Would Help?');
  if (id === undefined) return;
  const target = (await services.inventory.catalog.get()).targets.find((one) => one.id === id);
  await measure(services, { kind: 'advise', target: id, settings: target === undefined ? {} : services.applied.of(target) });
}

/** What the page asks for: once more what an advice asked for, after the verdict of a run, or of a target that is chosen now. */
export async function askedForHelp(
  services: Services,
  { runId, trialKey, adviceId, budgetS }: Extract<FromPanel, { type: 'whatWouldHelp' }>,
): Promise<void> {
  const { engine, inventory } = services;
  const longer = budgetS === undefined ? {} : { budgetS };
  if (adviceId !== undefined) {
    const { record } = await engine.request('advice/get', { id: adviceId });
    const { from, ...asked } = record.request;
    // A run that was deleted meanwhile cannot be followed: what limits is looked at again.
    const known = from !== undefined && (await inventory.runs.get()).some(({ id }) => id === from);
    return measure(services, { kind: 'advise', ...asked, ...(known ? { from } : {}), ...longer });
  }
  if (runId === undefined) return whatWouldHelp(services, undefined);
  const { run } = await engine.request('runs/get', { id: runId });
  const { askedAfter } = await import('../../model/presentation/nextStep.ts');
  const trial = run.trials.find(({ key }) => key === trialKey) ?? run.trials[0];
  return measure(services, { kind: 'advise', ...askedAfter(run, trial), ...longer });
}

/** Writes an advice to a file that the person names. */
export async function exportAdvice({ engine }: Services, id: string, format: ParamsInput<'advice/report'>['format']): Promise<void> {
  const { text, suggestedName } = await engine.request('advice/report', { id, format });
  await saveReport(text, suggestedName, format);
}

/** Deletes an advice after a question, and offers to bring it back. Its runs stay. */
export async function deleteAdvice(services: Services, id: string): Promise<void> {
  const { engine } = services;
  if (!(await agrees('Delete this advice?', 'The runs that it rests on stay in the list.', 'Delete', 'warning'))) return;
  await engine.request('advice/delete', { id });
  await sendAdvice(services, null);
  const undo = async (): Promise<void> => {
    await engine.request('advice/restore', { id });
    await sendAdvice(services, id);
  };
  void offer('Deleted the advice.', { Undo: undo });
}
