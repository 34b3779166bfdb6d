import { type PropertyValues, type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { FromFlame } from '../../src/model/domain/flame.ts';
import type { RecordingRecord } from '../../src/model/domain/recording.ts';
import { remembered } from '../../src/model/domain/remembered.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { FlameChannel } from './app/flameChannel.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { post } from '../kit/page/vscodeApi.ts';
import { linkButton } from '../kit/controls/buttons.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import '../kit/controls/selectField.ts';

type Listener = (message: unknown) => void;

/** The listeners to each recording's messages, and what each flame graph keeps while the panel is there. */
const listeners = new Map<string, Set<Listener>>();
const keptStates = new Map<string, unknown>();

/** Gives a message of the extension to the flame graph it is for. */
export function deliverFlame(recordingId: string, message: unknown): void {
  for (const listener of listeners.get(recordingId) ?? []) listener(message);
}

/** The flame graphs of a run: the same component as in a tab of its own, loaded when it is first shown. */
@customElement('benchside-flame-view')
export class FlameView extends LitElement {
  static override styles = [
    sharedStyles,
    messageStyles,
    css`
      .choice {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: 8px 16px;
        margin-bottom: 10px;
      }
      benchside-select {
        min-width: 260px;
      }
      .graph {
        height: calc(100vh - 24px);
        min-height: 560px;
      }
      .graph > * {
        display: block;
        height: 100%;
      }
    `,
  ];

  @property({ attribute: false }) run: RunRecord | null = null;
  @state() chosenId: string | null = null;
  @state() problem: string | null = null;
  #shownId: string | null = null;

  protected override render(): TemplateResult {
    const recordings = this.run?.recordings ?? [];
    const chosen = this.#chosen();
    if (this.run === null) return messageBox({ title: 'Choose a run to look at.' });
    if (chosen === null) {
      return messageBox({
        title: 'This run has no flame graph.',
        text: 'Tick “Flame graph” before the next run, or record one of its targets now, under the same load.',
        actions: [{ text: 'Record Flame Graph', primary: true, run: () => post({ type: 'recordFlameGraph', runId: this.run?.id ?? '' }) }],
      });
    }
    return html`<div class="choice">
        ${
          recordings.length < 2
            ? nothing
            : html`<benchside-select
                label="Recording"
                .value=${chosen.id}
                .choices=${recordings.map((one) => ({ value: one.id, text: one.title }))}
                @choose=${(event: CustomEvent<string>) => (this.chosenId = event.detail)}
              ></benchside-select>`
        }
        ${linkButton('Open in a tab of its own', () => post({ type: 'openRecording', id: chosen.id }))}
      </div>
      ${this.problem === null ? nothing : messageBox({ kind: 'warning', title: this.problem })}
      <div class="graph"></div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    const chosen = this.#chosen();
    if (chosen === null) this.#shownId = null;
    else if (chosen.id !== this.#shownId) void this.#show(chosen.id);
  }

  async #show(id: string): Promise<void> {
    this.#shownId = id;
    try {
      const { createFlame } = await loadFlame();
      if (this.#shownId !== id) return;
      this.problem = null;
      this.renderRoot.querySelector('.graph')?.replaceChildren(createFlame(channelOf(id)));
    } catch {
      this.problem = 'The flame graph could not be loaded. Close the panel and open it again.';
    }
  }

  #chosen(): RecordingRecord | null {
    const recordings = this.run?.recordings ?? [];
    return recordings.find((one) => one.id === this.chosenId) ?? recordings[0] ?? null;
  }
}

/** The flame graph's own bundle; the page names it, since only the extension knows where it is. */
function loadFlame(): Promise<{ createFlame: (channel: FlameChannel) => HTMLElement }> {
  const source = document.querySelector<HTMLMetaElement>('meta[name="benchside-flame"]')?.content ?? '';
  return import(source) as ReturnType<typeof loadFlame>;
}

function channelOf(recordingId: string): FlameChannel {
  return {
    hosted: true,
    post: (message: FromFlame) => post({ type: 'flame', recordingId, message }),
    listen: (callback) => {
      const own = remembered(listeners, recordingId, () => new Set<Listener>());
      const take: Listener = (message) => callback(message as Parameters<typeof callback>[0]);
      own.add(take);
      return () => own.delete(take);
    },
    kept: () => keptStates.get(recordingId),
    keep: (state) => keptStates.set(recordingId, state),
  };
}
