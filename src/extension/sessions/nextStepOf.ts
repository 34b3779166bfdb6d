import { isObject } from '../../model/domain/isObject.ts';
import { isMeasureKind } from '../../model/protocol/measureKinds.ts';
import type { MeasureKind } from '../../model/protocol/measureRequest.ts';
import { commandId, type CommandId } from '../kit/commandId.ts';
import { escapeMarkdown, type Row } from '../kit/row.ts';

/** The next step: measure a service that was set up, read an answer or apply it, or measure again what failed or a closed window interrupted. */
export type Step =
  | { kind: 'measure'; targetId: string; label: string }
  | { kind: 'read'; runId: string; answer: string }
  | { kind: 'apply'; runId: string; answer: string }
  | { kind: 'again'; of: MeasureKind; because: 'window' | 'failed' };

/** What was stored, as far as it is a step: a workspace’s storage outlives the code that wrote it. */
export function readStep(stored: unknown): Step | null {
  if (!isObject(stored)) return null;
  const { kind, targetId, label, runId, answer, of, because } = stored;
  if (kind === 'measure') return typeof targetId === 'string' && typeof label === 'string' ? { kind, targetId, label } : null;
  if (kind === 'read' || kind === 'apply') return typeof runId === 'string' && typeof answer === 'string' ? { kind, runId, answer } : null;
  return kind === 'again' && isMeasureKind(of) ? { kind, of, because: because === 'failed' ? 'failed' : 'window' } : null;
}

type Named = readonly { id: string }[];

/** Whether what a step is about is still there; as long as the targets are not known, it is. */
export function isPossible(step: Step, catalog: { targets: Named } | undefined, runs: Named): boolean {
  if (step.kind === 'again') return true;
  if (step.kind === 'measure') return catalog?.targets.some(({ id }) => id === step.targetId) ?? true;
  return runs.some(({ id }) => id === step.runId);
}

/** The row of the Results view that says it, and what a click on it does. */
export function nextStepRow(step: Step): Row & { command: CommandId; args: readonly string[] } {
  const row = (label: string, description: string, command: CommandId, args: readonly string[] = []) => ({
    label: `Next: ${label}`,
    description,
    icon: 'arrow-right',
    colour: 'charts.blue',
    spoken: `Next: ${label} ${description}`,
    tooltip: escapeMarkdown(`${label}. It stands here until it is done.`),
    command,
    args,
  });
  switch (step.kind) {
    case 'measure':
      return row(`measure ${step.label}`, 'it is set up', commandId('runBenchmark'), [step.targetId]);
    case 'read':
      return row('look at the answer', step.answer, commandId('openRun'), [step.runId]);
    case 'apply':
      return row('apply the answer', step.answer, commandId('applyTuning'), [step.runId]);
    case 'again':
      return row('measure again', againReasons[step.because], commandId('runBenchmarkAgain'), [step.of]);
  }
}

const againReasons = { window: 'it ended with the window', failed: 'it failed; once what it named is mended' } as const;
