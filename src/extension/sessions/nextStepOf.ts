import { isMeasureKind } from '../../model/protocol/measureNouns.ts';
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
  if (typeof stored !== 'object' || stored === null || !('kind' in stored)) return null;
  const step = stored as Record<string, unknown>;
  const text = (key: string): string | null => (typeof step[key] === 'string' ? step[key] : null);
  if (step['kind'] === 'measure') {
    const [targetId, label] = [text('targetId'), text('label')];
    return targetId === null || label === null ? null : { kind: 'measure', targetId, label };
  }
  if (step['kind'] === 'read' || step['kind'] === 'apply') {
    const [runId, answer] = [text('runId'), text('answer')];
    return runId === null || answer === null ? null : { kind: step['kind'], runId, answer };
  }
  const { of, because } = step;
  return step['kind'] === 'again' && isMeasureKind(of) ? { kind: 'again', of, because: because === 'failed' ? 'failed' : 'window' } : null;
}

interface Named {
  id: string;
}

/** Whether what a step is about is still there; as long as the targets are not known, it is. */
export function isPossible(step: Step, catalog: { targets: readonly Named[] } | undefined, runs: readonly Named[]): boolean {
  switch (step.kind) {
    case 'measure':
      return catalog === undefined || catalog.targets.some(({ id }) => id === step.targetId);
    case 'read':
    case 'apply':
      return runs.some(({ id }) => id === step.runId);
    case 'again':
      return true;
  }
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
