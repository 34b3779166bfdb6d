import { css } from 'lit';

/** The page of an experiment: the answer, published next to measured, the picture, why it is so. */
export const experimentPageStyles = css`
  .part {
    display: block;
    margin-bottom: 26px;
  }
  .asks {
    max-width: 84ch;
    font-size: 15px;
    line-height: 21px;
    overflow-wrap: anywhere;
  }
  .source {
    margin: 2px 0 14px;
    overflow-wrap: anywhere;
  }
  .answer {
    position: relative;
    min-height: 118px;
    padding: 14px 18px 14px 19px;
  }
  .edge {
    position: absolute;
    inset: -1px auto -1px -1px;
    width: 3px;
    border-radius: 4px 0 0 4px;
    background: var(--bs-tone);
  }
  .agrees {
    display: flex;
    gap: 8px;
    font-size: 19px;
    line-height: 26px;
  }
  .agrees .icon {
    margin-top: 5px;
  }
  .summary {
    max-width: 96ch;
    margin-top: 6px;
    overflow-wrap: anywhere;
  }
  .actions {
    margin-top: 12px;
  }
  .next {
    margin-top: 6px;
  }
  .beside > * {
    min-width: 0;
  }
  h2 {
    margin-bottom: 6px;
  }
  .rules li {
    display: grid;
    grid-template-columns: 16px 1fr;
    gap: 2px 8px;
    max-width: 96ch;
    padding: 4px 0;
    overflow-wrap: anywhere;
  }
  .rules .icon {
    margin-top: 2px;
  }
  .rules .because {
    grid-column: 2;
  }
  .today {
    max-width: 96ch;
    overflow-wrap: anywhere;
  }
  .waiting {
    min-height: 64px;
    color: var(--bs-muted);
  }
  ul.notes {
    margin: 8px 0 0;
  }
`;

/** How the tables of an experiment look: captions above, what does not count hatched. */
export const experimentTableStyles = css`
  .tables table {
    width: auto;
    min-width: min(100%, 280px);
  }
  .tables th,
  .tables td {
    padding: 3px 12px 3px 0;
  }
  .tables th.numeric,
  .tables td.numeric {
    padding: 3px 0 3px 18px;
  }
  /* Words after a figure keep a distance from its last digit. */
  .tables .numeric + :not(.numeric) {
    padding-left: 18px;
  }
  .tables .scroller + .scroller {
    margin-top: 16px;
  }
  .tables th.numeric {
    min-width: 10ch;
  }
  .tables th {
    white-space: normal;
    vertical-align: bottom;
  }
  .tables td:first-child {
    max-width: 22em;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .tables .scroller {
    container-type: inline-size;
  }
  caption {
    padding-bottom: 4px;
    text-align: left;
    color: var(--bs-muted);
    font-size: 12px;
  }
  /* As wide as what is in sight of the table, however wide the table is. */
  caption span {
    display: block;
    max-width: 100cqw;
    white-space: normal;
  }
  .spread {
    display: inline-block;
    min-width: 5.5ch;
    margin-left: 6px;
    color: var(--bs-muted);
    font-size: 12px;
    text-align: left;
  }
  td.void {
    color: var(--bs-muted);
    text-decoration: line-through;
  }
  /* What went wrong is a sentence. */
  .steps td.bad {
    white-space: normal;
    min-width: 14em;
  }
`;
