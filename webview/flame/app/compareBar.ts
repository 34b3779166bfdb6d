import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { icon } from '../../kit/controls/icons.ts';
import type { FlameSession } from './flameSession.ts';
import { eventLabel } from './flameWords.ts';
import type { FlameOptions } from './savedFlame.ts';

const normalisers: Record<FlameOptions['normalise'], string> = { perRequest: 'per request', share: 'as shares', raw: 'as recorded' };
const widths: Record<FlameOptions['width'], string> = { union: 'the larger of both', a: 'this recording', b: 'the other recording' };

/** With what the recording is compared and how: shown above the graph as long as there is a comparison. */
export function compareBar(session: FlameSession): TemplateResult | typeof nothing {
  const { b, comparing } = session;
  if (b.phase === 'none') return nothing;
  const stop = html`<button
    type="button"
    class="text"
    aria-label="Stop comparing"
    title="Stop comparing"
    @click=${() => session.stopComparing()}
  >
    ${icon('close')}<span class="wide">Stop comparing</span>
  </button>`;
  const title = html`<b class="cut"><bdi>${shortened(b.title, 120)}</bdi></b>`;
  if (!comparing) {
    if (b.phase === 'complete' && b.isEmpty) return html`<div class="compare flow">Nothing was recorded in ${title}. ${stop}</div>`;
    return html`<div class="compare flow" role="status">
      Reading ${title} <span class="muted">${Math.round(b.progress * 100)} %</span> ${stop}
    </div>`;
  }
  const event = session.look?.event ?? '';
  const missing = b.head?.events.some(({ name }) => name === event) === true ? null : `${eventLabel(event)} was not recorded there.`;
  const shares =
    session.options.normalise === 'perRequest' && !session.perRequestKnown
      ? 'The requests of both are not known: shares are compared.'
      : null;
  return html`<div class="compare flow">
    <span class="cut">Compared with ${title}</span>
    <label
      >Weights
      <select
        @change=${(change: Event) => session.setOptions({ normalise: (change.target as HTMLSelectElement).value as FlameOptions['normalise'] })}
      >
        ${(['perRequest', 'share', 'raw'] as const).map(
          (one) =>
            html`<option
              value=${one}
              ?selected=${one === (session.diff?.normalise ?? 'share')}
              ?disabled=${one === 'perRequest' && !session.perRequestKnown}
            >
              ${normalisers[one]}
            </option>`,
        )}
      </select></label
    >
    <label
      >Width
      <select
        @change=${(change: Event) => session.setOptions({ width: (change.target as HTMLSelectElement).value as FlameOptions['width'] })}
      >
        ${(['union', 'a', 'b'] as const).map((one) => html`<option value=${one} ?selected=${one === session.options.width}>${widths[one]}</option>`)}
      </select></label
    >
    ${stop}
    <span class="note whole">
      ${missing ?? nothing} ${shares ?? nothing} One recording of each tells no significance: a change may be chance.
    </span>
  </div>`;
}
