import { css } from 'lit';

/** What every component's shadow tree needs: type, tables, notes, focus. */
export const sharedStyles = css`
  :host {
    display: block;
    color: var(--bs-fg);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.45;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  h2,
  h3,
  p {
    margin: 0;
    font-size: inherit;
  }
  h2,
  h3 {
    font-weight: 600;
  }
  ul,
  dl,
  dd {
    margin: 0;
  }
  :where(dt) {
    color: var(--bs-muted);
  }
  ul {
    padding: 0;
    list-style: none;
  }
  .muted {
    color: var(--bs-muted);
  }
  .note {
    color: var(--bs-muted);
    font-size: 12px;
  }
  .quiet > summary {
    width: fit-content;
    cursor: pointer;
    font-size: 12px;
    color: var(--bs-muted);
  }
  .problem {
    color: var(--bs-bad);
    font-size: 12px;
  }
  /* Good, bad, or neither: the tone of the icons within. */
  .good {
    --bs-tone: var(--bs-good);
  }
  .warning,
  .hinted {
    --bs-tone: var(--bs-warning);
  }
  .bad {
    --bs-tone: var(--bs-bad);
  }
  .plain {
    --bs-tone: var(--bs-muted);
  }
  .icon,
  .mark {
    flex: none;
    vertical-align: -2px;
  }
  .icon[slot='end'] {
    margin-inline-start: 6px;
  }
  :where(:not(vscode-button)) > .icon {
    color: var(--bs-tone);
  }
  .mark {
    vertical-align: 0;
    margin-right: 6px;
  }
  .visuallyHidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 1px solid var(--vscode-focusBorder);
    outline-offset: 1px;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
    gap: 20px 24px;
  }
  /* Parts of a page are blocks. */
  .part.pair {
    display: grid;
  }
  .scroller {
    position: relative;
    overflow-x: auto;
    max-width: 100%;
    /*
     * A shade at an edge hints at what lies beyond it; where nothing does, the ground that moves with the content covers it,
     * a pixel more than its height: of fractions the one is rounded up, the other down, and a line of the shade would be left.
     */
    background:
      linear-gradient(to right, var(--bs-ground, var(--bs-bg)) 50%, transparent) left / 32px calc(100% + 2px) no-repeat local,
      linear-gradient(to left, var(--bs-ground, var(--bs-bg)) 50%, transparent) right / 32px calc(100% + 2px) no-repeat local,
      linear-gradient(to right, var(--bs-beyond), transparent) left / 14px 100% no-repeat scroll,
      linear-gradient(to left, var(--bs-beyond), transparent) right / 14px 100% no-repeat scroll;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    padding: 4px 10px;
    text-align: left;
    border-bottom: 1px solid var(--bs-line);
    white-space: nowrap;
    line-height: 18px;
  }
  td {
    border-bottom-color: var(--bs-grid);
  }
  th {
    font-weight: 600;
  }
  th.numeric,
  td.numeric {
    text-align: right;
  }
  td.good {
    color: var(--bs-good);
  }
  td.bad {
    color: var(--bs-bad);
  }
  /* Parts next to each other, which go on in another line where there is no room. */
  .flow,
  :where(div).actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
  }
  :where(div).actions {
    gap: 6px 14px;
    margin-top: 10px;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .inline {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .framed {
    border: 1px solid var(--bs-line);
    border-radius: 4px;
    background: var(--bs-card);
  }
  .cut {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :is(h2, h3) .note {
    font-weight: 400;
  }
  :where(code) {
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 12px;
  }
  pre.quoted {
    max-height: 220px;
    overflow: auto;
    margin: 6px 0 0;
    padding: 8px 10px;
    border: 1px solid var(--bs-line);
    font: 12px var(--vscode-editor-font-family, monospace);
    line-height: inherit;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  :where(select) {
    border: 1px solid var(--vscode-dropdown-border, var(--bs-line));
    border-radius: 3px;
    background: var(--vscode-dropdown-background, var(--bs-card));
    color: var(--vscode-dropdown-foreground, var(--bs-fg));
    font: inherit;
  }
  /* Each kind of button gives itself what it has: any rule of a component comes before this one. */
  :where(button) {
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .linkButton {
    padding: 2px 0;
    color: var(--vscode-textLink-foreground);
  }
  .linkButton:hover {
    color: var(--vscode-textLink-activeForeground);
    text-decoration: underline;
  }
  vscode-button {
    --button-padding-horizontal: 10px;
    --button-padding-vertical: 4px;
  }
  /* High contrast on black paints all buttons alike: what to do next has a stronger border. */
  :host-context(.vscode-high-contrast:not(.vscode-high-contrast-light)) vscode-button[appearance='primary'] {
    outline: 1px solid var(--vscode-contrastBorder, transparent);
  }
`;
