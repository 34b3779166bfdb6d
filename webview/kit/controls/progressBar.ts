import { type TemplateResult, css, html, nothing } from 'lit';

export const progressStyles = css`
  .bar {
    --done: var(--vscode-progressBar-background, var(--vscode-focusBorder));
    display: flex;
    height: 4px;
    margin-bottom: 6px;
    background: var(--bs-grid);
  }
  .bar > * {
    flex: 0 0 auto;
  }
  .done {
    background: var(--done);
  }
  /* What comes only while an answer stays undecided. */
  .perhaps {
    margin-left: auto;
    background: repeating-linear-gradient(135deg, var(--done) 0 1px, transparent 1px 4px);
  }
`;

/** Shares of the whole: what is done, and, hatched at its end, `perhaps`. */
export function progressBar(label: string, done: number, perhaps = 0, title?: string): TemplateResult {
  const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;
  return html`<div
    class="bar"
    role="progressbar"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.round(100 * done)}
    title=${title ?? nothing}
  >
    <span class="done" .style=${`width: ${percent(done)}`}></span><span class="perhaps" .style=${`width: ${percent(perhaps)}`}></span>
  </div>`;
}
