import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import type { FlameSession } from './flameSession.ts';
import { type IconName, icon } from '../../kit/controls/icons.ts';
import { differsFromFirst } from './look.ts';

interface StateBox {
  icon: IconName;
  bad?: boolean;
  title: string;
  text?: string;
  detail?: string | undefined;
  action?: { text: string; run: () => void };
}

function stateBox({ icon: name, bad, title, text, detail, action }: StateBox): TemplateResult {
  return html`<section class="state ${bad === true ? 'bad' : ''}">
    <span class="stateIcon">${icon(name)}</span>
    <div>
      <h2>${title}</h2>
      ${text === undefined ? nothing : html`<p class="muted">${text}</p>`}
      ${
        detail === undefined
          ? nothing
          : html`<details class="note">
              <summary>Details</summary>
              <pre>${shortened(detail, 20_000)}</pre>
            </details>`
      }
      ${action === undefined ? nothing : html`<p><button type="button" class="button" @click=${action.run}>${action.text}</button></p>`}
    </div>
  </section>`;
}

/** Shown in place of the graph while it cannot be drawn; null when it can. */
export function stateInstead(session: FlameSession): TemplateResult | null {
  const { a } = session;
  if (a.phase === 'failed' && a.failure !== null) {
    const { message, cure, detail } = a.failure;
    const action = session.channel.hosted ? { action: { text: 'Retry', run: () => session.retry() } } : {};
    return stateBox({ icon: 'error', bad: true, title: message, text: cure, detail, ...action });
  }
  if (a.isEmpty) {
    return stateBox({
      icon: 'info',
      title: 'Nothing was recorded.',
      text: 'The recording holds no sample. Record again, for longer or while the program has something to do.',
    });
  }
  if (session.awaitsSamples) return waiting('Reading the samples…', session.a.sampleProgress);
  const layout = session.answers.layouts.value;
  if (layout === null) return waiting(a.title === '' ? 'Opening the recording…' : `Opening ${shortened(a.title, 100)}…`, a.progress);
  if (layout.total > 0) return null;
  const { look } = session;
  if (layout.hiddenIdle > 0)
    return stateBox({
      icon: 'info',
      title: 'Only idle threads were seen.',
      text: 'They are hidden.',
      action: { text: 'Show idle threads', run: () => session.visit({ showIdle: true, zoom: null }) },
    });
  const filtered = look !== null && differsFromFirst(look);
  return stateBox(
    filtered
      ? {
          icon: 'info',
          title: 'Everything is filtered away.',
          text: 'No stack is left with these filters.',
          action: { text: 'Show everything', run: () => session.reset() },
        }
      : { icon: 'info', title: 'Nothing of this was recorded.', text: 'Choose another event above.' },
  );
}

function waiting(text: string, progress: number): TemplateResult {
  const percent = Math.round(progress * 100);
  return html`<section class="state waiting" role="status">
    <div>
      <p>${text}</p>
      <progress max="100" .value=${percent} aria-label=${text}></progress>
    </div>
  </section>`;
}
