import { css } from 'lit';

/** The page: bars, graph, the selected frame, legend and table below each other, always at the same place; the graph takes what is left. */
export const flameAppStyles = css`
  :host {
    display: flex;
    overflow: hidden;
  }
  .page {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
    padding: 8px 12px 0;
  }
  .bars,
  .compare,
  .notice,
  footer,
  benchside-thread-strip {
    max-height: 32vh;
  }
  .idleThreads {
    flex: none;
    margin: 2px 0;
    font-size: 12px;
  }
  .switches,
  .filters {
    gap: 6px 10px;
  }
  .narrow {
    display: none;
  }
  select {
    height: 24px;
    border-color: var(--vscode-dropdown-border, var(--bf-control-line));
  }
  .placeholder {
    height: 24px;
  }
  .filters {
    min-height: 28px;
    margin: 4px 0;
    font-size: 12px;
  }
  .said {
    flex: 1 1 160px;
    gap: 4px 8px;
    min-width: 0;
    color: var(--bs-muted);
  }
  .group {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
  }
  .tool,
  .text {
    display: inline-flex;
    align-items: center;
    height: 24px;
    padding: 0 4px;
    border-radius: 3px;
    color: var(--bs-fg);
  }
  .tool.small {
    height: 20px;
    padding: 0 3px;
    font-family: var(--vscode-editor-font-family, monospace);
  }
  .text {
    gap: 2px;
    padding: 0 6px;
    font-size: 12px;
    white-space: nowrap;
  }
  .tool:hover:not(:disabled),
  .text:hover:not(:disabled) {
    background: var(--vscode-toolbar-hoverBackground, var(--vscode-list-hoverBackground));
  }
  .tool[aria-pressed='true'] {
    background: var(--vscode-inputOption-activeBackground, var(--bf-pressed));
    outline: 1px solid var(--vscode-inputOption-activeBorder, var(--vscode-contrastActiveBorder, transparent));
    outline-offset: -1px;
  }
  .tool:disabled,
  .text:disabled {
    opacity: 0.4;
    cursor: default;
  }
  .tool:focus-visible,
  .text:focus-visible,
  .chip:focus-visible {
    outline-offset: -1px;
  }
  .link {
    text-decoration: underline;
  }
  .link:hover {
    color: var(--vscode-textLink-activeForeground);
  }
  .chip {
    gap: 2px;
    max-width: 100%;
    height: 20px;
    padding: 0 2px 0 7px;
    border: 1px solid var(--bf-control-line);
    border-radius: 10px;
    color: var(--bs-fg);
  }
  .chip:hover {
    background: var(--vscode-list-hoverBackground);
  }
  .search {
    display: flex;
    flex: 1 1 320px;
    align-items: center;
    min-width: 260px;
    max-width: 460px;
    height: 24px;
    padding: 0 2px 0 5px;
    border: 1px solid var(--vscode-input-border, var(--bf-control-line));
    border-radius: 3px;
    background: var(--vscode-input-background);
    color: var(--vscode-input-foreground);
  }
  .search:focus-within {
    border-color: var(--vscode-focusBorder);
  }
  .search.wrong {
    border-color: var(--bs-bad);
  }
  .search input {
    flex: 1 1 90px;
    min-width: 60px;
    padding: 0 5px;
    border: 0;
    outline: none;
    background: none;
    color: inherit;
    font: inherit;
  }
  .search input::placeholder {
    color: var(--vscode-input-placeholderForeground);
    opacity: 1;
  }
  .found {
    padding: 0 4px;
  }
  .wrong .found {
    color: var(--bs-bad);
  }
  .search .tool {
    height: 20px;
    padding: 0 2px;
    color: inherit;
  }
  .compare {
    gap: 2px 14px;
    padding: 3px 0 5px;
    border-top: 1px solid var(--bs-line);
    font-size: 12px;
  }
  .compare select {
    height: 22px;
  }
  .notice {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 3px 0;
    border-top: 1px solid var(--bs-line);
  }
  .notice span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .notice.warning .icon {
    color: var(--bs-warning);
  }
  .notice.bad > .icon {
    color: var(--bs-bad);
  }
  .stripPlace {
    flex: none;
    height: 60px;
  }
  .stage {
    display: flex;
    flex: 1 1 0;
    min-height: 120px;
    border-top: 1px solid var(--bs-line);
    padding-top: 6px;
  }
  .stage.bare {
    border-top: 0;
  }
  .stage > .main {
    flex: 1;
    min-width: 0;
    min-height: 0;
  }
  .tablePane {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 4px;
    min-width: 0;
    min-height: 0;
  }
  .tablePane benchside-segments {
    align-self: flex-start;
    margin-top: 2px;
    font-size: 12px;
  }
  .tablePane benchside-function-table {
    flex: 1;
  }
  .state {
    display: flex;
    gap: 10px;
    width: min(560px, 100%);
    margin: 48px auto auto;
  }
  .state p {
    margin-top: 4px;
  }
  .stateIcon {
    color: var(--bs-muted);
  }
  .state details {
    margin-top: 8px;
  }
  .state pre {
    overflow: auto;
    max-height: 200px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .state.waiting > div {
    width: 260px;
    margin: 0 auto;
    color: var(--bs-muted);
    text-align: center;
  }
  progress {
    appearance: none;
    width: 100%;
    height: 2px;
    border: 0;
    margin-top: 10px;
    background: var(--bs-grid);
  }
  progress::-webkit-progress-bar {
    background: var(--bs-grid);
  }
  progress::-webkit-progress-value {
    background: var(--vscode-progressBar-background, var(--vscode-focusBorder));
  }
  .button {
    height: 26px;
    margin-top: 6px;
    padding: 0 11px;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: 2px;
    background: var(--vscode-button-background);
    color: var(--vscode-button-foreground);
  }
  .button:hover {
    background: var(--vscode-button-hoverBackground, var(--vscode-button-background));
  }
  .figures {
    flex: 0 0 auto;
  }
  footer {
    gap: 2px 20px;
    justify-content: space-between;
    min-height: 28px;
    border-top: 1px solid var(--bs-line);
  }
  footer benchside-flame-legend {
    min-width: 0;
  }
  .facts {
    display: inline-flex;
    flex: 1 1 220px;
    justify-content: flex-end;
    align-items: center;
    min-width: 0;
  }
  .notes {
    flex-basis: 100%;
    max-height: 120px;
    margin: 0 0 6px;
    padding: 0 0 0 16px;
    list-style: disc;
    overflow-y: auto;
  }
  .splitter {
    flex: none;
    height: 5px;
    margin: 0 -12px;
    border-top: 1px solid var(--bs-line);
    cursor: row-resize;
    touch-action: none;
  }
  .splitter:hover,
  .splitter:focus-visible {
    border-top-color: var(--vscode-sash-hoverBorder, var(--vscode-focusBorder));
    outline: none;
    box-shadow: inset 0 2px 0 var(--vscode-sash-hoverBorder, var(--vscode-focusBorder));
  }
  .pane {
    display: flex;
    min-height: 74px;
  }
  /* Next to code: two lines, the subject, and the search with all the rest in one menu. */
  @media (max-width: 560px) {
    .wide {
      display: none;
    }
    .narrow {
      display: inline-flex;
    }
    .bars {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 6px;
      align-items: center;
      margin-bottom: 4px;
    }
    .switches,
    .filters {
      display: contents;
    }
    .bars .search {
      flex: 1 1 200px;
      min-width: 0;
    }
    .said {
      flex: 1 1 100%;
      order: 1;
      font-size: 12px;
    }
    .said:not(:has(.chip)) {
      display: none;
    }
  }
  @media (max-width: 760px) {
    .search {
      max-width: none;
    }
    .facts {
      flex-basis: 100%;
      justify-content: flex-start;
    }
  }
`;
