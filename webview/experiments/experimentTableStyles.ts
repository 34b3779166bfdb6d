import { css } from 'lit';

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
