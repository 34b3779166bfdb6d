import { css } from 'lit';

/** The table of functions: a head that stays, rows of one height, figures below each other. */
export const functionTableStyles = css`
  :host {
    --share: 84px;
    --figure: 122px;
    --name: 180px;
    display: flex;
    overflow: hidden;
  }
  .scroller {
    flex: 1;
    overflow: auto;
    overflow-anchor: none;
  }
  .row {
    display: grid;
    grid-template-columns: minmax(var(--name), 1fr) var(--figures);
    height: 24px;
    border-bottom: 1px solid var(--bs-grid);
    line-height: 23px;
    cursor: default;
  }
  .body {
    position: relative;
    min-width: min-content;
  }
  .window {
    position: absolute;
    inset: 0 0 auto;
  }
  .head {
    position: sticky;
    top: 0;
    z-index: 1;
    min-width: min-content;
    border-bottom: 1px solid var(--bs-line);
    background: var(--bs-bg);
  }
  .body .row:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .body .row.selected {
    background: var(--vscode-list-activeSelectionBackground);
    color: var(--vscode-list-activeSelectionForeground);
    outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
    outline-offset: -1px;
  }
  .selected .muted {
    color: inherit;
  }
  .row:focus-visible {
    outline-offset: -1px;
  }
  .cell {
    overflow: hidden;
    padding: 0 8px;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .cell.name {
    padding-left: 2px;
  }
  .body .cell.name {
    display: flex;
    align-items: center;
  }
  .words,
  .whole {
    display: flex;
    min-width: 0;
  }
  .words > .muted,
  .behind,
  .begin {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  /* Shrinks so much sooner than the name that the name loses nothing, however little, while there is any of these. */
  .words > .muted,
  .behind {
    flex: 0 100000 auto;
    min-width: 0;
  }
  .words > .asked {
    display: flex;
    flex-shrink: 1;
  }
  .words > b,
  .in,
  .end {
    flex: none;
  }
  .in,
  .begin,
  .end,
  .behind {
    white-space: pre;
  }
  .row.two {
    height: 40px;
  }
  .two .cell.numeric {
    line-height: 39px;
  }
  .two .words {
    flex-direction: column;
    line-height: 18px;
  }
  .two .muted {
    margin-left: 0;
    line-height: 16px;
  }
  .two .cell.name {
    align-items: start;
    padding-top: 3px;
  }
  .two .swatch {
    margin-top: 5px;
  }
  /* With the focus a name is shown whole, over the figures next to it. */
  .row:focus-visible .cell.name {
    overflow: visible;
  }
  .row:focus-visible .words {
    z-index: 1;
    flex: none;
    background: var(--bs-bg);
  }
  .cell.numeric {
    text-align: right;
  }
  .cell button {
    display: inline-flex;
    align-items: center;
    max-width: 100%;
    font-weight: 600;
    line-height: 23px;
  }
  .cell button .icon {
    margin-inline-start: 4px;
  }
  .cell button:focus-visible {
    outline-offset: -1px;
  }
  .cell .icon {
    flex: none;
    margin: 0 -4px 0 -1px;
  }
  .name .icon {
    margin-left: 2px;
  }
  .muted {
    margin-left: 8px;
    font-size: 12px;
  }
  .wait {
    padding: 10px 2px;
  }
  .swatch {
    flex: none;
    width: 8px;
    height: 8px;
    margin-right: 8px;
    border-radius: 2px;
  }
  @media (max-width: 900px) {
    :host {
      --share: 72px;
    }
  }
  @media (max-width: 700px) {
    :host {
      --share: 66px;
      --figure: 98px;
      --name: 130px;
    }
    .cell {
      padding: 0 5px;
    }
  }
  :host([compact]) {
    --name: 110px;
  }
  @media (max-width: 480px) {
    :host {
      --share: 58px;
      --figure: 104px;
      --name: 94px;
    }
    .cell {
      padding: 0 3px;
    }
    .head .cell button {
      font-size: 12px;
    }
  }
`;
