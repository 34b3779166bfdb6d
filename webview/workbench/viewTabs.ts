import type { TemplateResult } from 'lit';
import { html, nothing } from 'lit';
import { isLive } from '../live/liveProgress.ts';
import { isRunning } from '../progress/runSoFar.ts';
import type { PanelState, View } from './panelState.ts';
import { views } from './panelState.ts';

const titles: Record<View, string> = {
  tune: 'Tune',
  live: 'Live',
  compare: 'Compare',
  versions: 'Compare code',
  studies: 'Experiments',
  flame: 'Flame graph',
  raw: 'Raw figures',
};

/** The tabs of the views, with a dot at the one in which something is under way. */
export function viewTabs(state: PanelState, show: (view: View) => void): TemplateResult {
  return html`<div role="tablist" aria-label="Views" @keydown=${(event: KeyboardEvent) => onKey(event, state.view, show)}>
    ${views.map((view) => tab(view, state, show))}
  </div>`;
}

function tab(view: View, { view: shown, progress, studyAsked, session }: PanelState, show: (view: View) => void): TemplateResult {
  const selected = view === shown;
  const home: View = isRunning(progress) && (progress.study !== null || studyAsked) ? 'studies' : 'tune';
  const running = (view === home && isRunning(progress)) || (view === 'live' && isLive(session));
  return html`<button
    role="tab"
    type="button"
    id=${`tab-${view}`}
    aria-selected=${selected}
    aria-controls="panel"
    tabindex=${selected ? 0 : -1}
    @click=${() => show(view)}
  >
    ${titles[view]}${running ? html`<span class="dot"></span><span class="visuallyHidden"> (running)</span>` : nothing}
  </button>`;
}

function onKey(event: KeyboardEvent, shown: View, show: (view: View) => void): void {
  const at = views.indexOf(shown);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  const view = views[(next + views.length) % views.length] ?? 'tune';
  show(view);
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`#tab-${view}`)?.focus();
}
