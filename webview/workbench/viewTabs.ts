import { type TemplateResult, css, html, nothing } from 'lit';
import { isLive } from '../live/liveProgress.ts';
import { nativeSelect } from '../kit/controls/nativeSelect.ts';
import { isRunning } from '../progress/runSoFar.ts';
import { type PanelState, type View, views } from './panelState.ts';

const titles: Record<View, string> = {
  tune: 'Tune',
  live: 'Live',
  advise: 'What would help',
  compare: 'Compare',
  versions: 'Compare code',
  experiments: 'Experiments',
  flame: 'Flame graph',
  raw: 'Raw figures',
};

/** How {@link viewSelect} and {@link viewTabs} look: next to code the views are one drop-down, which leaves its rows to the answer. */
export const viewStyles = css`
  .viewSelect {
    display: none;
    flex: none;
    height: 26px;
    padding: 0 4px;
    font-weight: 600;
  }
  @media (max-width: 599px) {
    .viewSelect {
      display: block;
    }
    [role='tablist'] {
      display: none;
    }
  }
  /* As wide as what is chosen: the chips next to it need the room. */
  @media (max-width: 479px) {
    .viewSelect {
      field-sizing: content;
    }
  }
`;

/** The views as a drop-down, where there is no room for tabs. */
export function viewSelect(state: PanelState, show: (view: View) => void): TemplateResult {
  const choices = views.map((view) => ({ value: view, text: `${titles[view]}${runsIn(view, state) ? ' (running)' : ''}` }));
  return nativeSelect(choices, state.view, show, { look: 'viewSelect', label: 'View' });
}

/** Whether what is under way belongs to this view. */
function runsIn(view: View, { progress, experimentAsked, session, advice }: PanelState): boolean {
  if (advice.progress !== null) return view === 'advise';
  const home: View = isRunning(progress) && (progress.found?.kind === 'experiment' || experimentAsked) ? 'experiments' : 'tune';
  return (view === home && isRunning(progress)) || (view === 'live' && isLive(session));
}

/** The tabs of the views, with a dot at the one in which something is under way. */
export function viewTabs(state: PanelState, show: (view: View) => void): TemplateResult {
  return html`<div role="tablist" aria-label="Views" @keydown=${(event: KeyboardEvent) => onKey(event, state.view, show)}>
    ${views.map((view) => tab(view, state, show))}
  </div>`;
}

function tab(view: View, state: PanelState, show: (view: View) => void): TemplateResult {
  const selected = view === state.view;
  const running = runsIn(view, state);
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
