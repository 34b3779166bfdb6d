import { profileNoteText } from '../../../src/model/domain/profileNoteKinds.ts';
import { shortened } from '../../../src/model/domain/plainText.ts';
import { type TemplateResult, html, nothing } from 'lit';
import '../graph/legend.ts';
import '../graph/threadStrip.ts';
import { icon } from '../../kit/controls/icons.ts';
import type { FlameSession } from './flameSession.ts';
import { tool } from './flameToolbar.ts';
import { headFacts } from './flameWords.ts';

/** What each thread did when; only of one recording whose samples are known. */
export function threadStrip(session: FlameSession, toggleThread: (thread: number) => void): TemplateResult | typeof nothing {
  const { look, a } = session;
  if (look === null || !session.stripShown) return nothing;
  const strip = session.answers.strips.value;
  if (strip === null)
    return html`<div class="stripPlace note" role="status">Reading the samples… ${Math.round(a.sampleProgress * 100)} %</div>`;
  const idle = (a.head?.threads.length ?? 0) - strip.threads.length;
  // With a filter of states, threads can be missing that do work.
  const hidden = (session.answers.layouts.value?.hiddenIdle ?? 0) > 0;
  const others = html`<p class="note idleThreads">
    ${idle === 1 ? 'one thread' : `${idle} threads`} without work ·
    <button type="button" class="link" @click=${() => session.visit({ showIdle: true, zoom: null })}>show</button>
  </p>`;
  return html`<benchside-thread-strip
      .strip=${strip}
      .threadNames=${a.head?.threads ?? []}
      .stateNames=${a.head?.states ?? []}
      .range=${look.timeRange === null ? null : { fromUs: look.timeRange[0], toUs: look.timeRange[1] }}
      .selectedThreads=${look.threads ?? []}
      .format=${session.answers.layouts.value === null ? null : session.formatOf(session.answers.layouts.value)}
      @range-select=${(event: CustomEvent<{ fromUs: number; toUs: number } | null>) => session.visit({ timeRange: event.detail === null ? null : [event.detail.fromUs, event.detail.toUs], zoom: null })}
      @thread-select=${(event: CustomEvent<{ thread: number }>) => toggleThread(event.detail.thread)}
    ></benchside-thread-strip>
    ${idle > 0 && !look.showIdle && look.states === null && hidden ? others : nothing}`;
}

/** What the colours mean, and what kind of recording this is. */
export function footer(session: FlameSession, notesOpen: boolean, toggleNotes: () => void): TemplateResult {
  const { head } = session.a;
  const notes = [...(head?.notes ?? []), ...(session.b.head?.notes ?? [])];
  const layout = session.answers.layouts.value;
  return html`<footer class="flow">
    ${
      layout === null || session.a.isEmpty
        ? nothing
        : html`<benchside-flame-legend
            .layout=${layout}
            .names=${session.names}
            .colourBy=${session.options.colourBy}
          ></benchside-flame-legend>`
    }
    <span class="facts note">
      ${head === null ? nothing : html`<span class="cut" title=${headFacts(head).join(' · ')}>${headFacts(head).join(' · ')}</span>`}
      ${
        notes.length === 0
          ? nothing
          : html`<button type="button" class="text" aria-expanded=${notesOpen} @click=${toggleNotes}>
              ${icon('info')}${notes.length === 1 ? '1 note' : `${notes.length} notes`}
            </button>`
      }
    </span>
    ${
      notesOpen && notes.length > 0
        ? html`<ul class="notes note">
            ${notes.map((note) => html`<li>${shortened(profileNoteText(note), 1000)}</li>`)}
          </ul>`
        : nothing
    }
  </footer>`;
}

export function noticeBar(session: FlameSession): TemplateResult | typeof nothing {
  const { notice } = session;
  if (notice === null) return nothing;
  const drawn = notice.severity === 'bad' ? 'error' : notice.severity;
  return html`<div class="notice ${notice.severity}" role=${notice.severity === 'bad' ? 'alert' : 'status'}>
    ${icon(drawn)}<span>${shortened(notice.text, 2000)}</span>
    ${tool('close', 'Dismiss', () => session.dismissNotice())}
  </div>`;
}

/** The table beneath the graph, and the edge by which its height is changed. */
export function lowerPane(session: FlameSession, content: TemplateResult): TemplateResult {
  const { tableHeight } = session.options;
  const resize = (height: number): void =>
    session.setOptions({ tableHeight: Math.round(Math.max(80, Math.min(window.innerHeight * 0.7, height))) });
  return html`<div
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the function table"
      aria-valuenow=${tableHeight}
      aria-valuemin="80"
      aria-valuemax=${Math.round(window.innerHeight * 0.7)}
      tabindex="0"
      @pointerdown=${(event: PointerEvent) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)}
      @pointermove=${(event: PointerEvent) => event.buttons === 1 && resize(bottomOf(event) - event.clientY)}
      @keydown=${(event: KeyboardEvent) => {
        const by = { ArrowUp: 24, ArrowDown: -24 }[event.key];
        if (by === undefined || event.altKey) return;
        event.preventDefault();
        resize(tableHeight + by);
      }}
    ></div>
    <section class="pane" aria-label="Functions" .style=${`flex-basis: ${tableHeight}px`}>${content}</section>`;
}

/** The lower edge of the section below the splitter that is dragged. */
function bottomOf(event: PointerEvent): number {
  return (event.currentTarget as HTMLElement).nextElementSibling?.getBoundingClientRect().bottom ?? window.innerHeight;
}
