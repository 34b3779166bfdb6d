import { type TemplateResult, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { ChangedFunction, RouteDiff, VersionDiff, VersionWhy } from '../../src/model/domain/versionDiff.ts';
import { tierOfVersions, tierWords } from '../../src/model/domain/answerTier.ts';
import { diffHeadline, diffNotes, diffReasons } from '../../src/model/presentation/diffWords.ts';
import { functionTable, routesNote, routeTable, sideTitles, statementTable } from '../../src/model/presentation/versionDiffTable.ts';
import { durationPhrase, spanPhrase } from '../../src/model/domain/format.ts';
import { withinPhrase } from '../../src/model/domain/margin.ts';
import { forestStyles } from '../kit/charts/forestMarks.ts';
import { button, linkButton } from '../kit/controls/buttons.ts';
import { messageBox, messageStyles } from '../kit/controls/messageBox.ts';
import { titled } from '../kit/controls/sections.ts';
import { tableView } from '../kit/controls/tableView.ts';
import { tierMark, tierStyles } from '../kit/controls/tierMark.ts';
import { unbroken } from '../kit/figures/words.ts';
import { ask } from '../kit/page/ask.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { changeFlame, changeFlameStyles } from './changeFlame.ts';
import { metricForest, metricForestStyles } from './metricForest.ts';
import { versionsStyles } from './versionsStyles.ts';

/** What a comparison may take where nothing was asked for, and at most when it is repeated for longer. */
const usualBudgetS = 120;
const longestBudgetS = 1800;
/** In a sentence a longer name is shortened as over a column. */
const longestLabel = 28;

/** Two versions of the code: the answer, what it costs, and what changed. Without one, how to get it. */
@customElement('benchside-versions')
export class VersionsView extends LitElement {
  static override styles = [sharedStyles, messageStyles, tierStyles, versionsStyles, forestStyles, metricForestStyles, changeFlameStyles];

  @property({ attribute: false }) run: RunRecord | null = null;
  @property({ type: Boolean }) canRun = true;

  protected override render(): TemplateResult {
    const { run } = this;
    if (run?.result.kind !== 'diff')
      return messageBox({
        title: 'Did my change make it slower?',
        text: 'Two versions of the code of this folder (the working tree against HEAD, a branch against where it parted, any two commits) are built beside it and measured in one run until it is known. Nothing of your checkout is touched.',
        actions: this.canRun ? [{ text: 'Compare Code…', primary: true, run: () => ask(this, { type: 'compareCode' }) }] : [],
      });
    const diff = run.result;
    return html`${this.#line(run, diff)} ${this.#answer(run, diff)} ${metricForest(diff, roundsOf(run, diff))}
    ${routesTable(diff.routes ?? [])} ${diffNotes(diff).map((note) => html`<p class="note">${note}</p>`)} ${this.#why(run, diff)}
    ${this.#details(run, diff)}`;
  }

  #line(run: RunRecord, { base, head, files }: VersionDiff): TemplateResult {
    const routes = run.routes[run.trials[0]?.target ?? ''] ?? [];
    const what = [
      `${files.length} ${files.length === 1 ? 'file' : 'files'} changed`,
      ...routes.slice(0, 2),
      `${run.trials[0]?.connections ?? 0} connections`,
      durationPhrase(run.durationMs),
    ];
    return html`<div class="versionLine flow">
      <span class="said" title=${`${base.label} against ${head.label} · ${what.join(' · ')}`}
        ><strong>${base.label}</strong> against <strong>${head.label}</strong>
        <span class="muted">· ${unbroken(what.join(' · '))}</span></span
      >
      ${this.canRun ? button('Run again', () => ask(this, { type: 'compareCode', runId: run.id }), { primary: true, look: 'again' }) : nothing}
    </div>`;
  }

  #answer(run: RunRecord, diff: VersionDiff): TemplateResult {
    const { verdict, why } = diff;
    const recordings = why?.recordings ?? null;
    const culprit = why?.functions.find(({ touched }) => touched) ?? why?.ran?.[0] ?? null;
    const file = culprit === null ? -1 : fileOf(diff, culprit);
    const tier = tierOfVersions(diff);
    // Where the figures left it open, more of them are the next step; the change comes second.
    const open = verdict === 'unknown' && this.canRun;
    const budgetS = Math.min(longestBudgetS, 2 * (run.request.budgetS ?? usualBudgetS));
    const openChange = (): void =>
      ask(this, { type: 'openChange', runId: run.id, file: Math.max(0, file), line: file < 0 ? null : (culprit?.line ?? null) });
    return html`<section class="answer flow ${verdict}" aria-label="Answer">
      <div>
        <p>${tierMark(tier, tierWords[tier])}</p>
        <h2 class="headline">${unbroken(diffHeadline(diff))}</h2>
        ${diffReasons(diff).map((reason) => html`<p>${reason}</p>`)}
      </div>
      <div class="buttons">
        ${open ? button(`Measure for ${spanPhrase(budgetS)}`, () => ask(this, { type: 'compareCode', runId: run.id, budgetS }), { primary: true }) : nothing}
        ${diff.files.length > 0 ? button(file < 0 ? 'Open the change' : 'Open the change at this line', openChange, { primary: !open }) : nothing}
        ${
          recordings
            ? button('Compare flame graphs', () => ask(this, { type: 'compareRecordings', a: recordings.head, b: recordings.base }))
            : nothing
        }
      </div>
    </section>`;
  }

  #why(run: RunRecord, diff: VersionDiff): TemplateResult | typeof nothing {
    const { why } = diff;
    if (why === null) return nothing;
    const open = (place: Pick<ChangedFunction, 'file' | 'line'>): (() => void) | null => {
      const file = fileOf(diff, place);
      return file < 0 ? null : () => ask(this, { type: 'openChange', runId: run.id, file, line: place.line });
    };
    return html`${why.flame === null ? nothing : changeFlame(why.flame, diff.head.label.length <= longestLabel ? diff.head.label : sideTitles(diff).head.title, open)}
    ${
      why.functions.length === 0
        ? html`<p class="note">No function takes more or less than chance would have it.</p>`
        : titled('functions', 'Functions', 'per request, those on changed lines first', this.#functions(diff, why, open))
    }`;
  }

  #functions(diff: VersionDiff, why: VersionWhy, open: (place: ChangedFunction) => (() => void) | null): TemplateResult {
    return tableView(functionTable(why, diff), {
      labelledBy: 'functions',
      look: 'functions',
      cell: ({ key }, { id }, { text }) => {
        const one = id === 'function' ? why.functions[Number(key)] : undefined;
        const opens = one === undefined ? null : open(one);
        return opens === null ? null : linkButton(text, opens);
      },
    });
  }

  #details(run: RunRecord, diff: VersionDiff): TemplateResult {
    const { statements, why } = diff;
    const statementView = tableView(statementTable(diff), {
      labelledBy: 'statements',
      cell: (_row, { id }, { text }) => (id === 'statement' ? html`<code>${text}</code>` : null),
    });
    const fileList = html`<ul class="files">
      ${diff.files.map(
        ({ path, added, removed }, file) =>
          html`<li>
            ${linkButton(path, () => ask(this, { type: 'openChange', runId: run.id, file, line: null }))}
            <span class="muted">+${added} −${removed}</span>
          </li>`,
      )}
    </ul>`;
    return html`<div class="pair">
      ${statements.length === 0 ? nothing : titled('statements', 'Statements', 'calls per request, counted by PostgreSQL', statementView)}
      ${why?.excerpt ? titled('excerpt', why.excerpt.file, '', excerptOf(why.excerpt.lines)) : nothing}
      ${diff.files.length === 0 ? nothing : titled('files', 'Files that changed', '', fileList)}
    </div>`;
  }
}

function excerptOf(lines: NonNullable<VersionWhy['excerpt']>['lines']): TemplateResult {
  return html`<div class="excerpt" role="region" aria-labelledby="excerpt" tabindex="0">
    ${lines.map(
      ({ line, kind, text }) =>
        html`<code class=${kind}
          ><span class="number">${line ?? ''}</span>${kind === 'gone' ? '−' : kind === 'new' ? '+' : ' '} ${text}</code
        >`,
    )}
  </div>`;
}

/** So many are in sight, and those that are worse. */
const inSight = 4;

/** A row for each route of the mix, requested alone, the worst first; of many the others are folded. */
function routesTable(routes: readonly RouteDiff[]): TemplateResult | typeof nothing {
  if (routes.length === 0) return nothing;
  const worse = routes.filter(({ verdict }) => verdict === 'worse').length;
  const seen = routes.length <= inSight + 1 ? routes.length : Math.max(inSight, worse);
  const others = routes.length - seen;
  // The columns are those of all routes, so that both tables have the same.
  const table = routeTable(routes);
  const part = (rows: typeof table.rows): TemplateResult => tableView({ ...table, rows }, { labelledBy: 'routes', look: 'routes' });
  const folded = html`<details class="otherRoutes">
    <summary>${others} other ${others === 1 ? 'route' : 'routes'}</summary>
    ${part(table.rows.slice(seen))}
  </details>`;
  return titled('routes', 'Routes of the mix', routesNote, html`${part(table.rows.slice(0, seen))} ${others === 0 ? nothing : folded}`);
}

function roundsOf(run: RunRecord, diff: VersionDiff): string {
  const rounds = run.plan.order.length;
  return `change against ${sideTitles(diff).base.title}, 95 % intervals · ${rounds} mirrored ${rounds === 1 ? 'pair' : 'pairs'} · band: the same within ${withinPhrase(diff.delta)}`;
}

/** Number of the file among those that changed; -1 where it is none of them. */
function fileOf({ files }: VersionDiff, { file }: Pick<ChangedFunction, 'file'>): number {
  return file === null ? -1 : files.findIndex(({ path }) => path === file);
}
