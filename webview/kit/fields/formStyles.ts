import { css } from 'lit';

/** The form: one card, fields of equal width that wrap, the Run button always at the same size. */
export const formStyles = css`
  form {
    padding: 11px 14px 12px;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(112px, 1fr));
    gap: 10px;
    align-items: end;
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .targets {
    grid-column: span 2;
  }
  .targets.many {
    grid-column: 1 / -1;
  }
  /* The duration and purpose of a load are shown with its name. */
  .fields > .load {
    grid-column: span 3;
  }
  @media (max-width: 599px) {
    .fields > .load {
      grid-column: 1 / -1;
    }
  }
  /* A route is longer than a number. */
  @media (max-width: 999px) {
    .fields > .route {
      grid-column: span 2;
    }
  }
  legend,
  vscode-text-field::part(label) {
    display: block;
    margin: 0 0 4px;
    padding: 0;
    font-size: 12px;
    line-height: 16px;
    color: var(--bs-muted);
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .targetBox {
    gap: 4px 8px;
    min-height: 26px;
  }
  vscode-checkbox {
    max-width: 100%;
    margin: 0;
  }
  .targetName {
    margin-left: -3px;
    overflow-wrap: anywhere;
  }
  .flag {
    margin-left: 4px;
    color: var(--bs-warning);
  }
  vscode-text-field {
    width: 100%;
    min-width: 0;
  }
  vscode-text-field::part(root) {
    min-width: 0;
  }
  vscode-text-field::part(control)::placeholder {
    color: var(--vscode-input-placeholderForeground);
    opacity: 1;
  }
  vscode-text-field.invalid::part(root) {
    border-color: var(--bs-bad);
  }
  .runCell {
    display: flex;
    justify-content: flex-end;
    grid-column-end: -1;
  }
  .run {
    min-width: 92px;
    height: 26px;
  }
  details {
    margin-top: 10px;
  }
  summary {
    width: fit-content;
    font-size: 12px;
    cursor: pointer;
  }
  details .fields {
    grid-template-columns: repeat(auto-fill, minmax(160px, 1fr));
    margin-top: 8px;
  }
  details vscode-text-field[data-field='slo'],
  details .wide {
    grid-column: span 2;
  }
  details[open] summary .muted {
    display: none;
  }
`;
