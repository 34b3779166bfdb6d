import { css } from 'lit';

export const adviceStyles = css`
  :host {
    container-type: inline-size;
  }
  section {
    margin-top: 18px;
  }
  .askedLine {
    gap: 8px 12px;
    padding: 7px 14px;
    border: 1px solid var(--bs-line);
    border-radius: 4px;
  }
  .askedLine .said {
    flex: 1 1 260px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .askedLine .tools {
    gap: 8px;
    min-width: 0;
  }
  .earlier {
    max-width: 280px;
    height: 26px;
    padding: 0 4px;
    text-overflow: ellipsis;
  }
  .answer {
    margin-top: 12px;
    padding: 12px 16px;
    border-left: 3px solid var(--bs-muted);
    overflow-wrap: anywhere;
  }
  .answer:first-child {
    margin-top: 0;
  }
  .answer.better {
    border-left-color: var(--bs-good);
  }
  .headline {
    margin-bottom: 4px;
    font-size: 19px;
    line-height: 26px;
  }
  .bar {
    margin-top: 10px;
  }
  .times {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 16px;
    min-height: 36px;
  }
  table.tried {
    table-layout: fixed;
  }
  .tried th,
  .tried td {
    padding: 3px 8px;
    vertical-align: middle;
  }
  .tried tbody th {
    font-weight: 400;
    white-space: normal;
    overflow-wrap: anywhere;
    border-bottom-color: var(--bs-grid);
  }
  .tried .name {
    width: 34%;
  }
  .tried .change {
    width: 74px;
  }
  .tried .range {
    width: 144px;
  }
  .tried .cost {
    width: 96px;
  }
  .tried .have {
    width: 92px;
    text-align: right;
  }
  .tried .about {
    display: block;
  }
  .tried .axis text {
    font-weight: 400;
  }
  .tried .axis .minor {
    display: none;
  }
  /* The words at the ends of the axis stay clear of what is next to it. */
  .tried .plot svg {
    width: calc(100% - 36px);
    margin: 0 18px;
  }
  .tried :is(.narrow, .inChange) {
    display: none;
  }
  details > summary {
    margin: 14px 0 6px;
    font-weight: 600;
    cursor: pointer;
  }
  h3.group {
    margin: 14px 0 2px;
  }
  dl.ways {
    display: grid;
    grid-template-columns: minmax(120px, max-content) minmax(0, 1fr);
    gap: 6px 16px;
    margin: 6px 0 0;
  }
  .ways dt {
    color: var(--bs-fg);
    overflow-wrap: anywhere;
  }
  .ways dd {
    min-width: 0;
  }
  .ways code {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  ul.plain {
    margin: 6px 0 0;
    overflow-wrap: anywhere;
  }
  @container (max-width: 1040px) {
    .tried .range {
      display: none;
    }
    .tried .change {
      width: 140px;
    }
    .tried .inChange {
      display: block;
    }
  }
  @container (max-width: 760px) {
    .tried .cost {
      display: none;
    }
    .tried .narrow {
      display: block;
    }
  }
  /* Next to code a change has a line of its own above its effect. */
  @container (max-width: 620px) {
    .tried tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 128px 74px;
      align-items: center;
      border-bottom: 1px solid var(--bs-grid);
    }
    .tried .name {
      grid-column: 1 / -1;
      width: auto;
    }
    .tried thead .name {
      display: none;
    }
    .tried .change,
    .tried .have {
      width: auto;
    }
    .tried th,
    .tried td {
      padding-inline: 4px;
      border-bottom: 0;
    }
    dl.ways {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
