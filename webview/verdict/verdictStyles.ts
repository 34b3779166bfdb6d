import { css } from 'lit';

/** How a verdict looks: its sentence, the figures that speak for it, what to do next. */
export const verdictStyles = css`
  .headline {
    margin: 4px 0 6px;
    font-size: 16px;
    line-height: 23px;
    overflow-wrap: anywhere;
  }
  .doubt {
    color: var(--bs-warning);
    font-size: 12px;
  }
  .why {
    max-width: 84ch;
    margin-top: 2px;
    overflow-wrap: anywhere;
  }
  .evidence {
    max-width: 84ch;
    margin-top: 8px;
  }
  .evidence td,
  .evidence th {
    padding: 3px 8px;
    font-size: 12px;
  }
  .evidence td:first-child,
  .evidence th:first-child {
    padding-left: 0;
  }
  .evidence td:first-child {
    white-space: normal;
    min-width: 11em;
  }
  @media (max-width: 599px) {
    .evidence td,
    .evidence th {
      padding: 3px 5px;
    }
    .evidence td:first-child {
      min-width: 8em;
    }
  }
  /* The source of a threshold, under the figure compared with it: a column of its own would be cut off next to another card. */
  .evidence .source {
    display: block;
  }
  .evidence tbody tr:last-child td {
    border-bottom-color: transparent;
  }
  .met {
    color: var(--bs-fg);
  }
  .met.not {
    color: var(--bs-muted);
  }
  .calm {
    display: flex;
    gap: 8px;
    overflow-wrap: anywhere;
  }
  .calm .icon {
    margin-top: 2px;
  }
  .reasons {
    margin: 4px 0 0;
    overflow-wrap: anywhere;
  }
  details {
    margin-top: 8px;
  }
  summary:hover {
    color: var(--bs-fg);
  }
  .ruledOut {
    display: grid;
    grid-template-columns: minmax(9em, max-content) 1fr;
    gap: 3px 14px;
    margin: 6px 0 0;
    font-size: 12px;
  }
  .ruledOut dd {
    overflow-wrap: anywhere;
  }
  .advice {
    margin: 8px 0 0;
  }
  .advice li {
    display: flex;
    gap: 8px;
    max-width: 84ch;
    overflow-wrap: anywhere;
  }
  .advice .icon {
    margin-top: 2px;
    color: var(--bs-muted);
  }
`;
