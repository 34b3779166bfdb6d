import { css } from 'lit';

/** The live view: its bar in place of the form, sliders and figures at the left, charts above each other at the right. */
export const liveViewStyles = css`
  .advice {
    min-height: 40px;
    margin-top: 10px;
  }
  .bar {
    justify-content: space-between;
    gap: 8px 16px;
    min-height: 36px;
    padding: 4px 5px 4px 12px;
    margin-bottom: 18px;
  }
  .bar p {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  benchside-live-form {
    margin-bottom: 18px;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(250px, 320px) minmax(0, 1fr);
    gap: 20px 32px;
    margin: 8px 0 24px;
  }
  @media (max-width: 899px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    /* Next to code, the controls come before the figures. */
    .side {
      display: contents;
    }
    .now {
      order: 1;
    }
  }
  .now {
    margin-top: 14px;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr));
    column-gap: 28px;
    margin: 4px 0 0;
  }
  .figures div {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    padding: 2px 0;
    border-bottom: 1px solid var(--bs-grid);
  }
  .figures dt {
    color: var(--bs-muted);
  }
  .figures dd {
    text-align: right;
    white-space: nowrap;
  }
  .charts {
    display: grid;
    gap: 4px;
    align-content: start;
  }
  ul {
    margin: 12px 0 0;
  }
  .segments h2 {
    margin-bottom: 2px;
  }
`;
