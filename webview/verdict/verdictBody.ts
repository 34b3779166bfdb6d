import { findingTexts, isSame } from '../../src/model/domain/findings.ts';
import { type TemplateResult, html, nothing } from 'lit';
import { type Diagnosis, explanationOf, headlineOf } from '../../src/model/domain/diagnosis.ts';
import { limitNames } from '../../src/model/domain/diagnosisKind.ts';
import { actionsBeside } from '../../src/model/presentation/nextStep.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import { sourceText } from '../../src/model/domain/verdict/thresholdSources.ts';
import { type Evidence, wordedFigure } from '../../src/model/domain/verdict/evidence.ts';
import { type NextAction, actionText } from '../../src/model/domain/verdict/nextActions.ts';
import { verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';
import { figureColumn, plainTable, wordColumn } from '../../src/model/presentation/table.ts';
import { button } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { tableView } from '../kit/controls/tableView.ts';
import type { DiagnosedTrial } from './chooseVerdicts.ts';
import { noFigure } from '../../src/model/domain/format.ts';

export interface VerdictContext {
  /** Called with the index of the action; null: no action is possible here (the run is not stored yet). */
  take: ((action: number) => void) | null;
  canRun: boolean;
  /** The first action is the next step of the page; false where the page has a more important one. */
  primary: boolean;
  /** What the page answers already, by setting: no action asks to try another value of it. */
  answered?: SettingValues;
}

/** Reasons that a verdict names of what is discarded. */
const mostReasons = 3;

/** The verdict of a trial: its sentence, the figures, what was ruled out and what to do; in one line where nothing limits it. */
export function verdictBody(trial: DiagnosedTrial, context: VerdictContext): TemplateResult {
  const { diagnosis } = trial;
  const { kind, confident } = diagnosis;
  const headline = headlineOf(diagnosis);
  if (kind === 'healthy' && confident) {
    return html`<p class="calm good">${icon('check')}<span>${headline}</span></p>
      ${figuresBehind(diagnosis)}${actionsOf(diagnosis, context)}`;
  }
  return html`<h2 class="headline">${kind === 'invalid' ? html`<span class="warning">${icon('warning')}</span> ` : nothing}${headline}</h2>
    ${verdictDetails(trial, context)}`;
}

/** What supports the sentence of a verdict: doubts, the figures, what was ruled out and what to do. */
export function verdictDetails({ diagnosis, reasons }: DiagnosedTrial, context: VerdictContext): TemplateResult {
  const { kind, confident, tells = [] } = diagnosis;
  const explanation = explanationOf(diagnosis);
  const all =
    kind === 'invalid'
      ? [
          ...new Set([
            ...(explanation === '' ? [] : [explanation]),
            ...findingTexts(reasons.filter((reason) => reason.log !== undefined || !tells.some((told) => isSame(told, reason)))),
          ]),
        ]
      : [];
  return html`${
    confident
      ? nothing
      : html`<p class="doubt inline">
          ${icon('warning')}Can’t be sure: the signs point there, but
          ${
            diagnosis.evidence.every(({ met }) => met)
              ? 'one of them is near its threshold, or what is said above casts doubt on them.'
              : 'one of them is missing or near its threshold.'
          }
        </p>`
  }
  ${
    kind === 'invalid'
      ? html`<ul class="reasons">
          ${all.slice(0, mostReasons).map((reason) => html`<li>${reason}</li>`)}
          ${all.length > mostReasons ? html`<li>${all.length - mostReasons} more stand in the table</li>` : nothing}
        </ul>`
      : explanation === ''
        ? nothing
        : html`<p class="why">${explanation}</p>`
  }
  ${evidenceTable(diagnosis.evidence)} ${ruledOut(diagnosis)} ${threadDumps(diagnosis)} ${actionsOf(diagnosis, context)}`;
}

function figuresBehind(diagnosis: Diagnosis): TemplateResult | typeof nothing {
  const explanation = explanationOf(diagnosis);
  if (diagnosis.evidence.length === 0 && explanation === '') return nothing;
  return html`<details class="quiet">
    <summary>The figures</summary>
    ${explanation === '' ? nothing : html`<p class="why">${explanation}</p>`}${evidenceTable(diagnosis.evidence)}
  </details>`;
}

function evidenceTable(evidence: readonly Evidence[]): TemplateResult | typeof nothing {
  if (evidence.length === 0) return nothing;
  const table = plainTable(
    [
      wordColumn('what', 'Figure'),
      figureColumn('value', 'measured'),
      figureColumn('threshold', 'threshold', true),
      wordColumn('met', 'met'),
    ],
    evidence.map(wordedFigure).map(({ what, value, threshold, met }) => [what, value, threshold ?? noFigure, met ? 'yes' : 'no']),
  );
  return tableView(table, {
    label: 'Evidence',
    look: 'evidence',
    cell: ({ key }, { id }, { text }) => {
      const { source = null, met = false } = evidence[Number(key)] ?? {};
      if (id === 'met') return html`<span class="met inline ${met ? '' : 'not'}">${icon(met ? 'check' : 'error')}${text}</span>`;
      return id === 'what' && source !== null ? html`${text}<span class="source note">${sourceText(source)}</span>` : null;
    },
  });
}

function ruledOut({ ruledOut: all }: Diagnosis): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<details class="quiet">
    <summary>What was ruled out (${all.length})</summary>
    <dl class="ruledOut">
      ${all.map(
        ({ kind, because }) =>
          html`<dt>${limitNames[kind]}</dt>
            <dd>${verdictText(because)}</dd>`,
      )}
    </dl>
  </details>`;
}

function threadDumps({ threadDumps: files }: Diagnosis): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<p class="note">Thread dumps in the run’s folder: ${files.join(', ')}</p>`;
}

function actionsOf(diagnosis: Diagnosis, { take, canRun, primary, answered = {} }: VerdictContext): TemplateResult | typeof nothing {
  const open = actionsBeside(diagnosis, answered);
  const advice = open.flatMap(({ action }) => (action.kind === 'advice' ? [action] : []));
  const buttons = open.filter(({ action }) => action.kind !== 'advice');
  return html`${
    advice.length === 0
      ? nothing
      : html`<ul class="advice">
          ${advice.map((action) => html`<li>${icon('info')}<span>${actionText(action)}</span></li>`)}
        </ul>`
  }
  ${
    buttons.length === 0 || take === null
      ? nothing
      : html`<div class="actions verdictActions">
          ${buttons.map(({ action, index }, place) =>
            button(actionText(action), () => take(index), { primary: primary && place === 0, disabled: !canRun && measures(action) }),
          )}
        </div>`
  }`;
}

/** Whether taking an action begins a measurement at once, for which the machine must be free. */
export function measures(action: NextAction): boolean {
  return action.kind === 'set' || action.kind === 'tune' || action.kind === 'record';
}
