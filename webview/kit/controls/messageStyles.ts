import { css } from 'lit';

/** How {@link messageBox} looks: a sentence and its action, quiet. */
export const messageStyles = css`
  .message {
    display: flex;
    gap: 10px;
    max-width: 720px;
    /* At the same height in every view, whatever distance this gives its sections. */
    margin-top: 0;
    padding: 10px 0 12px;
  }
  .message .messageIcon {
    color: var(--bs-muted);
  }
  .message.warning .messageIcon {
    color: var(--bs-warning);
  }
  .message.bad .messageIcon {
    color: var(--bs-bad);
  }
  .message p {
    margin-top: 2px;
  }
  .message .messageActions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 10px;
  }
  .message details {
    margin-top: 6px;
  }
  .message pre {
    max-height: 220px;
    overflow: auto;
    margin: 6px 0 0;
    padding: 8px 10px;
    border: 1px solid var(--bs-line);
    font-family: var(--vscode-editor-font-family, monospace);
    font-size: 12px;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;
