import { css } from 'lit';

export const versionsStyles = css`
  :host {
    container-type: inline-size;
  }
  section {
    margin-top: 20px;
  }
  .versionLine,
  .answer {
    gap: 12px;
    justify-content: space-between;
    padding: 8px 14px;
    border: 1px solid var(--bs-line);
    border-radius: 4px;
    overflow-wrap: anywhere;
  }
  .versionLine {
    flex-wrap: nowrap;
  }
  .again {
    flex: none;
  }
  .answer {
    margin-top: 12px;
    padding: 12px 14px;
    border-left: 3px solid var(--bs-muted);
  }
  .answer > div:first-child {
    flex: 1 1 min(480px, 100%);
  }
  .answer.worse {
    border-left-color: var(--bs-bad);
  }
  .answer.better {
    border-left-color: var(--bs-good);
  }
  .headline {
    font-size: 17px;
    margin-bottom: 6px;
  }
  .linkButton {
    padding: 0;
    text-align: left;
    overflow-wrap: anywhere;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr));
    gap: 0 28px;
  }
  td code {
    overflow-wrap: anywhere;
    white-space: normal;
  }
  td.said {
    white-space: normal;
  }
  .otherRoutes {
    margin-top: 6px;
  }
  .kind {
    color: var(--bs-bad);
  }
  .excerpt {
    margin: 6px 0 0;
    border: 1px solid var(--bs-line);
    font: 12px var(--vscode-editor-font-family, monospace);
    line-height: 1.6;
  }
  .excerpt > code {
    display: block;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font: inherit;
    /* What does not fit goes on below the code, not below its number. */
    padding: 0 8px 0 calc(10ch + 18px);
    text-indent: calc(-10ch - 10px);
  }
  .excerpt .gone {
    background: color-mix(in srgb, var(--bs-bad) 18%, transparent);
  }
  .excerpt .new {
    background: color-mix(in srgb, var(--bs-good) 18%, transparent);
  }
  .excerpt .number {
    display: inline-block;
    width: 4ch;
    margin-right: 10px;
    color: var(--bs-muted);
    text-align: right;
    text-indent: 0;
  }
  .functions td:first-child {
    min-width: 9em;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  @container (max-width: 860px) {
    .routes th,
    .routes td {
      padding-inline: 6px;
    }
    .routes td:last-child {
      min-width: 15em;
      white-space: normal;
    }
  }
  @container (max-width: 640px) {
    .versionLine {
      padding: 6px 10px;
    }
    .versionLine .said {
      min-width: 0;
    }
    .functions th,
    .functions td {
      padding-inline: 5px;
    }
  }
  .files {
    margin: 6px 0 0;
  }
`;
