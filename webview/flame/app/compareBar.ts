import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { icon } from '../../kit/controls/icons.ts';
import { choicesOf, nativeSelect } from '../../kit/controls/nativeSelect.ts';
import type { FlameSession } from './flameSession.ts';
import { eventLabel } from './flameWords.ts';
import type { FlameOptions } from './savedFlame.ts';

const normalisers = choicesOf<FlameOptions['normalise']>({ perRequest: 'per request', share: 'as shares', raw: 'as recorded' });
const widths = choicesOf<FlameOptions['width']>({ union: 'the larger of both', a: 'this recording', b: 'the other recording' });

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
  const weights = nativeSelect(normalisers, session.diff?.normalise ?? 'share', (normalise) => session.setOptions({ normalise }), {
    off: session.perRequestKnown ? undefined : 'perRequest',
  });
  return html`<div class="compare flow">
    <span class="cut">Compared with ${title}</span>
    <label>Weights ${weights}</label>
    <label>Width ${nativeSelect(widths, session.options.width, (width) => session.setOptions({ width }))}</label>
    ${stop}
    <span class="note whole">
      ${missing ?? nothing} ${shares ?? nothing} One recording of each tells no significance: a change may be chance.
    </span>
  </div>`;
}
