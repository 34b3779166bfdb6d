import type { TemplateResult } from 'lit';
import { html } from 'lit';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { ask } from '../kit/page/ask.ts';

/** From an answer to the flame graph of its run, which is recorded where there is none yet. */
export function flameLink(run: RunRecord, canRun: boolean, from: EventTarget): TemplateResult {
  const recorded = run.recordings.length > 0;
  const go = (): void => {
    if (recorded) from.dispatchEvent(new CustomEvent('show-view', { detail: 'flame', bubbles: true, composed: true }));
    else ask(from, { type: 'recordFlameGraph', runId: run.id });
  };
  return html`<button class="linkButton" type="button" ?disabled=${!recorded && !canRun} @click=${go}>
    ${recorded ? 'Flame graph' : 'Record a flame graph'}
  </button>`;
}
