import { type TemplateResult, css, html, nothing } from 'lit';
import { type Tier, tierPhrase } from '../../src/model/domain/answerTier.ts';
import type { NextStep } from '../../src/model/presentation/nextStep.ts';
import type { RunRecord, Trial } from '../../src/model/domain/run.ts';
import type { SettingValues } from '../../src/model/domain/setting.ts';
import type { EvidenceItem } from '../../src/model/domain/answerEvidence.ts';
import { intervalPhrase, noFigure, wholeNumber } from '../../src/model/domain/format.ts';
import type { Interference } from '../../src/model/domain/interference.ts';
import { whilePhrase } from '../../src/model/presentation/interferenceWords.ts';
import { disagreement } from '../../src/model/presentation/evidenceWords.ts';
import { cardFrame, cardStyles } from '../kit/controls/cardFrame.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { icon } from '../kit/controls/icons.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';
import { ask } from '../kit/page/ask.ts';
import { verdictStyles } from '../verdict/verdictStyles.ts';
import { whyOf, evidenceRows, evidenceStyles } from './evidenceList.ts';
import { lowerFirst, unbroken } from '../kit/figures/words.ts';
import { headlineOf } from '../../src/model/domain/diagnosis.ts';
import { type VerdictContext, verdictDetails } from '../verdict/verdictBody.ts';

export interface CardContent {
  target: string;
  targetLabel: string;
  tier: Tier;
  /** Before the tier while it is measured: "So far: ". */
  soFar?: boolean;
  headline: TemplateResult | string;
  figures: TemplateResult | null;
  evidence: readonly EvidenceItem[];
  /** The interval of the figures is wider than what was asked for. */
  wide: boolean;
  /** How wide that of the throughput is, where it is wider than what was asked for; else empty. */
  width: string;
  why: string;
  /** The trial whose limit is shown, and "at 8: " where the answer is not about it alone. */
  limited: { trial: Trial | undefined; at: string };
  /** The values that the answer names. */
  answered: SettingValues;
  notes: readonly string[];
  /** What can be done: the first as the button, the others as links. */
  steps: readonly NextStep[];
  links: readonly (TemplateResult | typeof nothing)[];
  /** Above the actions, which so are at the same height in cards next to each other. */
  where?: TemplateResult | readonly TemplateResult[] | typeof nothing;
}

export interface CardPlace {
  from: EventTarget;
  /** The stored run; null while it goes on: then nothing can be done yet. */
  run: RunRecord | null;
  canRun: boolean;
  applied: Readonly<Record<string, SettingValues>>;
}

export const answerCardStyles = [
  cardStyles,
  evidenceStyles,
  verdictStyles,
  tierStyles,
  css`
    .card .headline {
      margin: 2px 0 4px;
      font-size: 19px;
      line-height: 26px;
    }
    .width {
      padding: 0 8px 0 5px;
      border: 1px solid currentColor;
      border-radius: 10px;
      color: var(--bs-warning);
      font-size: 12px;
      line-height: 17px;
      vertical-align: bottom;
      white-space: nowrap;
    }
    .notes {
      margin: 6px 0 0;
    }
    .actions {
      margin-top: auto;
      padding-top: 10px;
    }
    .limit summary {
      list-style: none;
      cursor: pointer;
    }
    .limit summary::-webkit-details-marker {
      display: none;
    }
    .limit .toggle {
      color: var(--vscode-textLink-foreground);
    }
    .limit summary:hover .toggle {
      text-decoration: underline;
    }
    dd .limit {
      margin-top: 0;
    }
  `,
];

/** The answer for one target: how sure it is, in one sentence; what speaks for it and what limits it; and the one thing to do next. */
export function answerCard(card: CardContent, place: CardPlace): TemplateResult {
  const contradiction = disagreement(card.evidence);
  const limit = limitRow(card.limited.trial, card.limited.at, verdictPlace(card, place));
  const rows = card.evidence.length > 0 || limit !== nothing;
  const words = tierPhrase(card.tier, card.evidence);
  return cardFrame(
    card.target,
    card.targetLabel,
    html`
      <h2 class="headline">${card.headline}</h2>
      ${card.figures === null ? nothing : html`<p>${card.figures} ${widthChip(card.width)}</p>`}
      ${rows ? html`<dl class="answerEvidence">${evidenceRows(card.evidence, card.wide)}${limit}</dl>` : nothing}
      ${contradiction === '' ? nothing : html`<p class="disagree">${icon('warning')}<span>${contradiction}</span></p>`}
      ${whyOf(card.why, card.evidence)}
      ${
        card.notes.length === 0
          ? nothing
          : html`<ul class="notes note">
              ${card.notes.map((note) => html`<li>${note}</li>`)}
            </ul>`
      }
      ${card.where ?? nothing}
      ${
        place.run === null || card.steps.length + card.links.length === 0
          ? nothing
          : html`<div class="actions">${card.steps.map((step, index) => stepControl(step, index === 0, card, place))}${card.links}</div>`
      }
    `,
    tierMark(card.tier, card.soFar === true ? `So far: ${lowerFirst(words)}` : words),
  );
}

/** An interval that is wider than what was asked for is seen to be, whatever the tier. */
function widthChip(words: string): TemplateResult | typeof nothing {
  return words === ''
    ? nothing
    : html`<span class="width inline" title="The 95 % interval is wider than what was asked for: more rounds narrow it"
        >${icon('warning')}${words}</span
      >`;
}

function verdictPlace({ limited, answered }: CardContent, { from, run, canRun }: CardPlace) {
  const { trial } = limited;
  const take =
    run === null || trial === undefined
      ? null
      : (action: number): void => ask(from, { type: 'takeAction', runId: run.id, trialKey: trial.key, action });
  return { take, canRun, primary: false, answered };
}

function stepControl(
  step: NextStep,
  first: boolean,
  { target, targetLabel }: CardContent,
  { from, run, canRun, applied }: CardPlace,
): TemplateResult | typeof nothing {
  if (run === null) return nothing;
  if (step.kind === 'apply') {
    const apply = (): void => ask(from, { type: 'applySettings', target, values: step.values, runId: run.id });
    return applyButton(step.values, apply, targetLabel, applied[target], first);
  }
  const take = (): void => {
    if (step.kind === 'act') ask(from, { type: 'takeAction', runId: run.id, trialKey: step.trialKey, action: step.action });
    else if (step.kind === 'cure') ask(from, { type: 'actOnFailure', action: step.cure, target: step.target });
    else if (step.kind === 'advise') ask(from, { type: 'whatWouldHelp', runId: run.id, trialKey: step.trialKey });
    else if (step.kind === 'run') ask(from, { type: 'measure', request: { kind: 'run', ...step.request } });
    else ask(from, { type: 'measure', request: { kind: 'tune', ...step.request } });
  };
  return first
    ? button(step.words, take, { primary: true, disabled: !canRun && step.kind !== 'cure' })
    : linkButton(step.words, take, { disabled: !canRun });
}

/** "Apply to Java"; once that is done, "Applied: pool 8". `primary`: it is the next step, a button; else a link. */
function applyButton(
  settings: SettingValues,
  apply: () => void,
  targetLabel: string,
  applied: SettingValues | undefined,
  primary: boolean,
): TemplateResult {
  const values = Object.entries(settings);
  const done = applied !== undefined && values.every(([name, value]) => applied[name] === value);
  if (done) {
    // It stays a button: what was applied can be undone elsewhere, and applied again here.
    const words = values.map(([name, value]) => `${name} ${value}`).join(' · ');
    return button(`Applied: ${words}`, apply, { drawn: 'check', title: 'Apply again' });
  }
  return primary ? button(`Apply to ${targetLabel}`, apply, { primary }) : linkButton(`Apply to ${targetLabel}`, apply);
}

/** What limits the trial that an answer is about, in the answer's own card; what speaks for it is one click away. Nothing where nothing is known. */
function limitRow(trial: Trial | undefined, at: string, context: VerdictContext): TemplateResult | typeof nothing {
  const diagnosis = trial?.diagnosis ?? null;
  // The table says why a trial is discarded.
  if (!trial || diagnosis === null || diagnosis.kind === 'invalid') return nothing;
  return html`<dt><span class="visuallyHidden">What is the </span>Limit</dt>
    <dd>
      <details class="limit">
        <summary>
          ${unbroken(`${at}${headlineOf(diagnosis)}`)}${diagnosis.confident ? '' : ' Not sure.'} <span class="toggle">why</span>
        </summary>
        ${verdictDetails({ ...trial, diagnosis }, context)}
      </details>
    </dd>`;
}

/** From an answer to the flame graph of its run, which is recorded where there is none yet. */
export function flameLink(run: RunRecord, canRun: boolean, from: EventTarget): TemplateResult {
  const recorded = run.recordings.length > 0;
  const go = (): void => {
    if (recorded) from.dispatchEvent(new CustomEvent('show-view', { detail: 'flame', bubbles: true, composed: true }));
    else ask(from, { type: 'recordFlameGraph', runId: run.id });
  };
  return linkButton(recorded ? 'Flame graph' : 'Record a flame graph', go, { disabled: !recorded && !canRun });
}

/** The figures of an answer in a line: throughput with its interval, and `more` that is known. */
export function figuresLine(
  throughput: { mean: number; ciLow: number | null; ciHigh: number | null },
  more: string,
  interference: Interference | null,
): TemplateResult {
  const interval = intervalPhrase(throughput);
  const meanwhile = whilePhrase(interference);
  return html`${wholeNumber(throughput.mean)}
  req/s${interval === noFigure ? nothing : html` <span class="muted">[${interval}]</span>`}${more}${meanwhile === '' ? nothing : html`<span class="muted">, ${meanwhile}</span>`}.`;
}
