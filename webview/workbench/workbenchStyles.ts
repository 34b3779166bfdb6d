import { css } from 'lit';

/** The page: header, tabs, form and view below each other, always at the same place. */
export const workbenchStyles = css`
  main {
    display: block;
    padding: clamp(8px, 1vw, 14px) clamp(14px, 3vw, 36px) 32px;
  }
  .head {
    display: flex;
    align-items: flex-start;
    gap: 8px;
  }
  .head > benchside-header {
    flex: 1 1 0;
    min-width: 0;
  }
  @media (max-width: 599px) {
    main {
      padding-top: 6px;
    }
    .head {
      margin-bottom: 6px;
    }
    .afterLine {
      height: 8px;
    }
  }
  [role='tablist'] {
    display: flex;
    flex-wrap: wrap;
    gap: 0 clamp(12px, 2.5vw, 20px);
    margin: 6px 0 12px;
    border-bottom: 1px solid var(--bs-line);
  }
  [role='tab'] {
    padding: 6px 0 7px;
    border-bottom: 2px solid transparent;
    margin-bottom: -1px;
    color: var(--vscode-panelTitle-inactiveForeground, var(--bs-muted));
    white-space: nowrap;
  }
  [role='tab']:hover {
    color: var(--bs-fg);
  }
  [role='tab'][aria-selected='true'] {
    color: var(--vscode-panelTitle-activeForeground, var(--bs-fg));
    /* In high contrast the line below all tabs has the colour of the active one’s border: it takes that of what is chosen. */
    border-bottom-color: var(--vscode-contrastActiveBorder, var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder)));
  }
  .dot {
    display: inline-block;
    width: 6px;
    height: 6px;
    margin-left: 6px;
    border-radius: 50%;
    background: var(--vscode-progressBar-background, var(--vscode-focusBorder));
    vertical-align: 2px;
  }
  .formPlace {
    min-height: 86px;
  }
  .runLine + .formPlace {
    margin-top: 8px;
  }
  .afterLine {
    height: 12px;
  }
  benchside-status {
    margin: 8px 0 12px;
  }
  .loadingView {
    min-height: 320px;
  }
  [role='tabpanel'] {
    outline: none;
  }
`;
