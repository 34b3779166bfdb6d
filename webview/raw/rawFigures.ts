import { findingTexts } from '../../src/model/domain/findings.ts';
import { type TemplateResult, css, html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Block, RunRecord } from '../../src/model/domain/run.ts';
import { bytesPhrase, durationPhrase, listPhrase, noFigure, orDash, percentPhrase, wholeNumber } from '../../src/model/domain/format.ts';
import { modeText } from '../../src/model/domain/modeReason.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { instanceTable, presentedRun } from '../../src/model/presentation/runTable.ts';
import {
  type Cell,
  type Table,
  type TableColumn,
  type TableRow,
  figureColumn,
  wordCell,
  wordColumn,
} from '../../src/model/presentation/table.ts';
import { topologyPhrase } from '../../src/model/domain/topologyText.ts';
import { unbroken } from '../kit/figures/words.ts';
import { sharedStyles } from '../kit/style/sharedStyles.ts';
import { tableView } from '../kit/controls/tableView.ts';
import { targetMark } from '../kit/controls/targetMark.ts';
import { shownSettings, variedPhrase } from '../../src/model/presentation/settingWords.ts';

/** Everything that was recorded in figures: each block, how it was done, and on what. */
@customElement('benchside-raw')
export class RawFigures extends LitElement {
  static override styles = [
    sharedStyles,
    css`
      section {
        margin-bottom: 22px;
      }
      dd {
        overflow-wrap: anywhere;
      }
      .scroller {
        margin-top: 6px;
      }
      .blocks th,
      .blocks td {
        padding-inline: 7px;
      }
      /* A reason is a sentence: it takes the lines that it needs. */
      .blocks td:last-child {
        min-width: 11em;
        white-space: normal;
      }
      /* Where the table has to be scrolled anyway, no row is high for what is out of sight. */
      @media (max-width: 1200px) {
        .blocks td:last-child {
          min-width: 34em;
        }
      }
      dl {
        display: grid;
        grid-template-columns: max-content 1fr;
        gap: 3px 20px;
        margin: 6px 0 0;
      }
      tr.start td {
        border-top: 1px solid var(--bs-line);
      }
      tr.invalid td {
        color: var(--bs-muted);
      }
    `,
  ];

  @property({ attribute: false }) run: RunRecord | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const { run } = this;
    if (!run) return nothing;
    const commands = Object.entries(run.plan.commands).map(([key, { argv }]): Row => [trialName(run, key), argv.join(' ')]);
    return html`
      <section aria-labelledby="blocks">
        <h2 id="blocks">Blocks</h2>
        <p class="note">Each block is one turn of a trial, in rounds; figures in ms where not said otherwise.</p>
        ${tableView(blockTable(run), { labelledBy: 'blocks', look: 'blocks', cell: markedTarget })}
      </section>
      ${this.#instances(run)} ${section('How it was done', planRows(run))} ${section('Environment', environmentRows(run))}
      ${section('Commands', commands)}
      ${
        run.notes.length > 0
          ? section(
              'Notes',
              noteTexts(run.notes).map((text, index) => [String(index + 1), text] satisfies Row),
            )
          : nothing
      }
      ${section('Files', [['run', run.id], ...run.files.map((file): [string, string] => [file.name, bytesPhrase(file.bytes)])])}
    `;
  }

  /** Each process separately, where there are several of a target or a proxy before them. */
  #instances(run: RunRecord): TemplateResult | typeof nothing {
    const table = instanceTable(presentedRun(run));
    if (table.rows.length === 0) return nothing;
    return html`<section aria-labelledby="instances">
      <h2 id="instances">Instances</h2>
      <p class="note">Each process alone, means over the measured blocks; CPU: 100 % is one core.</p>
      ${tableView(table, { labelledBy: 'instances', cell: markedTarget })}
    </section>`;
  }
}

/** The mark of a target before its name. */
function markedTarget({ target }: TableRow, { id }: TableColumn, { text }: Cell): TemplateResult | null {
  return id === 'target' && target !== null ? html`${targetMark(target)}${text}` : null;
}

/** A row for each block, in the order of the trials. */
function blockTable({ trials }: RunRecord): Table {
  const names = shownSettings(trials);
  return {
    columns: [
      wordColumn('target', 'Trial'),
      ...blockColumns.map(({ title }) => figureColumn(title, title)),
      wordColumn('reasons', 'not valid because'),
    ],
    rows: trials.flatMap((trial) =>
      trial.blocks.map((block) => ({
        key: trial.key,
        target: trial.target,
        valid: block.valid,
        reasons: [],
        mark: null,
        cells: [variedPhrase(trial, names), ...blockColumns.map(({ text }) => text(block)), findingTexts(block.reasons).join('; ')].map(
          wordCell,
        ),
      })),
    ),
  };
}

const blockColumns: { title: string; text: (block: Block) => string }[] = [
  { title: 'round', text: (block) => String(block.round) },
  { title: 'starts at s', text: (block) => (block.startMs / 1000).toFixed(1) },
  { title: 'window s', text: (block) => (block.windowMs / 1000).toFixed(2) },
  { title: 'requests', text: (block) => wholeNumber(block.requests) },
  { title: 'req/s', text: (block) => wholeNumber(block.throughput) },
  { title: 'mean', text: (block) => orDash(block.latencyMs?.mean) },
  { title: 'p50', text: (block) => orDash(block.latencyMs?.p50) },
  { title: 'p90', text: (block) => orDash(block.latencyMs?.p90) },
  { title: 'p99', text: (block) => orDash(block.latencyMs?.p99) },
  { title: 'p99.9', text: (block) => orDash(block.latencyMs?.p999) },
  { title: 'max', text: (block) => orDash(block.latencyMs?.max) },
  { title: 'errors', text: (block) => wholeNumber(block.errors.total) },
  { title: 'CPU µs/req', text: (block) => orDash(block.appCpuUsPerRequest) },
  { title: 'generator loop', text: (block) => orDash(block.generator.eventLoopUtilisation, (busy) => `${Math.round(busy * 100)} %`) },
  { title: 'in flight/conn.', text: (block) => orDash(block.generator.littleRatio, (ratio) => ratio.toFixed(2)) },
];

type Row = [string, string];

/** The trial with this key by what varies; the key itself if no trial has it. */
function trialName(run: RunRecord, key: string): string {
  const trial = run.trials.find((candidate) => candidate.key === key);
  return trial ? variedPhrase(trial, shownSettings(run.trials)) : key;
}

function section(title: string, rows: readonly Row[]): TemplateResult {
  return html`<section aria-label=${title}>
    <h2>${title}</h2>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${unbroken(value)}</dd>`,
      )}
    </dl>
  </section>`;
}

function planRows(run: RunRecord): Row[] {
  const { load, plan, request } = run;
  const settings = Object.entries(request.settings).map(([name, values]) => `${name} ${values.join(', ')}`);
  return [
    ['settings', settings.join(' · ') || 'the defaults'],
    ...(request.topology === undefined ? [] : [['topology', topologyPhrase(request.topology)] satisfies Row]),
    [
      'load',
      `${load.name}: ${listPhrase([load.connections].flat())} connections, ${load.durationS} s blocks after ${load.settleS} s, ${load.rounds} rounds, seed ${load.seed}`,
    ],
    ...Object.entries(run.routes).map(([target, routes]): Row => [`routes of ${target}`, routes.join(', ')]),
    [
      'order',
      `${plan.mode === 'process-per-setting' ? 'one process for each setting' : 'restarted for each block'}: ${modeText(plan.modeReasons)}`,
    ],
    ...plan.order.map((keys, index): Row => [`round ${index + 1}`, keys.map((key) => trialName(run, key)).join(' → ')]),
  ];
}

function environmentRows(run: RunRecord): Row[] {
  const { environment } = run;
  const load = (averages: number[] | null): string =>
    averages === null ? noFigure : averages.map((average) => average.toFixed(2)).join(', ');
  return [
    ['processor', `${environment.cpuModel}, ${environment.cores} cores`],
    ['memory', bytesPhrase(environment.memoryBytes)],
    [
      'system',
      `${environment.platform}, ${environment.kernel}${environment.virtualised === null ? '' : `, in ${environment.virtualised}`}`,
    ],
    ['Node', environment.node],
    ['Java', environment.java ?? noFigure],
    ['PostgreSQL', environment.postgres ?? noFigure],
    ...Object.entries(environment.postgresSettings).map(([name, value]): Row => [name, value]),
    ...(environment.generator === undefined ? [] : [['load generator', environment.generator] satisfies Row]),
    ['Benchside', `${environment.benchside}, samples ${environment.samples}`],
    [
      'commit',
      environment.git === null ? noFigure : `${environment.git.commit}${environment.git.dirty ? ', with uncommitted changes' : ''}`,
    ],
    ['load before', load(environment.loadAverageBefore)],
    ['load after', load(environment.loadAverageAfter)],
    ['took', durationPhrase(run.durationMs)],
    ['noise floor', run.noiseFloorPercent === null ? noFigure : `±${percentPhrase(run.noiseFloorPercent)}`],
  ];
}
