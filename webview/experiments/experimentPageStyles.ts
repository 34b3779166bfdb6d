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
    background: currentColor;
  }
  .good .edge,
  .good .agrees .icon {
    color: var(--bs-good);
  }
  .wide .edge,
  .wide .agrees .icon,
  .bad .edge,
  .bad .agrees .icon {
    color: var(--bs-warning);
  }
  .unsure .edge,
  .unsure .agrees .icon {
    color: var(--bs-muted);
  }
  .agrees {
    display: flex;
    gap: 8px;
    font-size: 19px;
    line-height: 26px;
    font-weight: 600;
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
  .rules .good .icon {
    color: var(--bs-good);
  }
  .rules .bad .icon {
    color: var(--bs-bad);
  }
  .rules .unsure .icon {
    color: var(--bs-muted);
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
