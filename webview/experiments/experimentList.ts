import { type TemplateResult, css, html, nothing } from 'lit';
import type { RunSummary } from '../../src/model/domain/run.ts';
import type { ListedExperiment } from '../../src/model/domain/experiment.ts';
import { ask } from '../kit/page/ask.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { clockPhrase } from '../kit/figures/words.ts';
import '../kit/controls/menuButton.ts';
import { messageBox } from '../kit/controls/messageBox.ts';
import {
  type ListedExperiments,
  agreementMark,
  agreementWord,
  aboutPhrase,
  byPublication,
  lastRunOf,
  requirementsPhrase,
  shortTime,
} from './listedExperiments.ts';

export const experimentListStyles = css`
  .lead {
    max-width: 84ch;
    min-height: 36px;
    margin-bottom: 18px;
    color: var(--bs-muted);
  }
  section.publication {
    margin-bottom: 24px;
  }
  .publication h2 {
    display: flex;
    gap: 10px;
    padding-bottom: 6px;
    border-bottom: 1px solid var(--bs-line);
    overflow-wrap: anywhere;
  }
  h2 .letter {
    width: 22px;
    flex: none;
    color: var(--bs-muted);
  }
  li.experiment {
    display: grid;
    grid-template-columns: 22px minmax(0, 1fr) minmax(118px, 150px) 76px 104px;
    gap: 2px 10px;
    align-items: start;
    padding: 9px 0 10px;
    border-bottom: 1px solid var(--bs-grid);
  }
  .id {
    color: var(--bs-muted);
  }
  .title {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .asks {
    max-width: 84ch;
    overflow-wrap: anywhere;
  }
  .needs {
    margin-top: 1px;
  }
  .missing {
    display: flex;
    gap: 6px;
    max-width: 84ch;
    margin-top: 4px;
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .missing .icon {
    margin-top: 1px;
    color: var(--bs-warning);
  }
  .last {
    display: flex;
    gap: 6px;
    font-size: 12px;
  }
  .last .icon {
    margin-top: 1px;
  }
  .last .linkButton {
    padding: 0;
    text-align: left;
  }
  .when {
    display: block;
  }
  .time {
    text-align: right;
    font-size: 12px;
  }
  .runButtons {
    display: flex;
    justify-content: flex-end;
    gap: 1px;
  }
  @media (max-width: 899px) {
    li.experiment {
      grid-template-columns: 22px minmax(0, 1fr) 104px;
    }
    .runButtons {
      grid-column: 3;
      grid-row: 1;
    }
    .last {
      grid-column: 2;
      grid-row: 2;
    }
    .time {
      grid-column: 3;
      grid-row: 2;
    }
  }
`;

interface ListContext {
  experiments: ListedExperiments | null;
  runs: readonly RunSummary[] | null;
  canRun: boolean;
  /** Why nothing can be started now. */
  hold: string | null;
  from: EventTarget;
}

/** The published experiments by publication: what each asks, how long it takes, what is missing, and what came out last. */
export function experimentList(context: ListContext): TemplateResult {
  const { experiments, hold } = context;
  if (!experiments) return messageBox({ title: 'Looking for the experiments and what this machine has for them…' });
  const publications = byPublication(experiments.list);
  return html`
    ${experiments.problems.map((problem) => messageBox({ kind: 'warning', title: problem.message, text: problem.cure, detail: problem.detail }))}
    ${
      publications.length === 0
        ? messageBox({
            title: 'There are no published experiments here.',
            text: 'They come with the extension. Install it again if they are missing.',
          })
        : html`<p class="lead" role="status">
            ${
              hold ??
              'Experiments that were published with their figures, repeated on this machine. Each says whether its result has the shape of the published one, and shows both beside each other.'
            }
          </p>`
    }
    ${publications.map(
      ({ letter, source, experiments: own }) =>
        html`<section class="publication" aria-label=${`${letter}: ${source}`}>
          <h2><span class="letter">${letter}</span><span>${source}</span></h2>
          <ul>
            ${own.map((experiment) => rowOf(experiment, context))}
          </ul>
        </section>`,
    )}
  `;
}

function rowOf(experiment: ListedExperiment, { canRun, runs, from }: ListContext): TemplateResult {
  const { id, title, asks, missing, shortS, fullS } = experiment;
  const needs = requirementsPhrase(experiment.needs);
  const start = (form: 'short' | 'full'): void => ask(from, { type: 'measure', request: { kind: 'experiment', id, form } });
  const disabled = !canRun || missing.length > 0;
  return html`<li class="experiment" data-experiment=${id}>
    <span class="id">${id}</span>
    <div>
      <p class="title">${title}</p>
      <p class="asks">${asks}</p>
      ${needs === '' ? nothing : html`<p class="note needs">needs ${needs}</p>`}
      ${missing.map(
        ({ message, cure }) =>
          html`<p class="missing">
            ${icon('warning')}<span>${message} <span class="muted">${cure}</span></span>
          </p>`,
      )}
    </div>
    ${lastOf(experiment, runs, from)}
    <p class="time muted" title=${`short form ${aboutPhrase(shortS)}, full form ${aboutPhrase(fullS)}`}>${shortTime(shortS)}</p>
    <div class="runButtons">
      ${button('Run', () => start('short'), { disabled, label: `Run ${id}`, title: `The short form: ${aboutPhrase(shortS)}` })}
      <benchside-menu
        label=${`More ways to run ${id}`}
        icon="down"
        iconOnly
        ?disabled=${disabled}
        .items=${[
          { value: 'short', text: `Short form, ${aboutPhrase(shortS)}` },
          { value: 'full', text: `Full form, ${aboutPhrase(fullS)}` },
        ]}
        @choose=${(event: CustomEvent<'short' | 'full'>) => start(event.detail)}
      ></benchside-menu>
    </div>
  </li>`;
}

function lastOf(experiment: ListedExperiment, runs: readonly RunSummary[] | null, from: EventTarget): TemplateResult {
  const run = lastRunOf(experiment, runs);
  if (!run) return html`<p class="last"><span class="muted">not run yet</span></p>`;
  const mark = agreementMark(experiment.lastAgrees);
  return html`<p class="last ${mark.kind}">
    ${icon(mark.icon)}
    <span
      >${linkButton(agreementWord(experiment.lastAgrees), () => ask(from, { type: 'openRun', id: run.id }), { title: 'Open that run' })}
      <span class="muted when">${clockPhrase(run.startedAt, new Date())}</span></span
    >
  </p>`;
}
