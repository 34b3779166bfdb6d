import type { TemplateResult } from 'lit';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { ask } from '../kit/page/ask.ts';

/** From an answer to the flame graph of its run, which is recorded where there is none yet. */
export function flameLink(run: RunRecord, canRun: boolean, from: EventTarget): TemplateResult {
  const recorded = run.recordings.length > 0;
  const go = (): void => {
    if (recorded) from.dispatchEvent(new CustomEvent('show-view', { detail: 'flame', bubbles: true, composed: true }));
    else ask(from, { type: 'recordFlameGraph', runId: run.id });
  };
  return linkButton(recorded ? 'Flame graph' : 'Record a flame graph', go, { disabled: !recorded && !canRun });
}
