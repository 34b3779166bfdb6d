import { describe, expect, it } from 'vitest';
import { csvReport } from '../../../src/engine/report/csvReport.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { repeatCommand } from '../../../src/model/presentation/repeatCommand.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { exampleDisturbedRun, exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { runBadge } from '../../../src/model/presentation/runWords.ts';

const run = exampleDisturbedRun();
const mechanism = 'At 8, requests wait for a connection 2 % of their time, so that a larger pool can gain at most 2 %.';

describe.each([
  ['HTML', htmlReport],
  ['Markdown', markdownReport],
])('the report of a disturbed run in %s', (_, report) => {
  const text = report(run);

  it('says how much was taken, over the run and beside the figures', () => {
    expect(text).toContain('interference: 19 % of the CPU');
    expect(text).toContain(
      'Measured while interference took 24 % of the CPU; about 7,900 req/s without interference, estimated from CPU per request.',
    );
    expect(text).toContain('blocks lost 5 % or more, the most 47 %');
    expect(text).toContain('interference');
    expect(text).toContain('noise-adjusted, est.');
  });

  it('never calls it not valid', () => {
    expect(text.toLowerCase()).not.toContain('not valid');
  });

  it('shows both kinds of evidence, and where they disagree', () => {
    expect(text).toContain(mechanism);
    expect(text.match(/The two kinds of evidence disagree/g)).toHaveLength(1);
  });

  it('says nothing of it where nothing noticeable was taken', () => {
    const calm = report(exampleRun());
    for (const word of ['interference', 'Interference', 'noise-adjusted', 'evidence disagree']) expect(calm).not.toContain(word);
  });
});

describe('the report', () => {
  it('leads from its chip to the sentence on the interference, also without scripts', () => {
    const page = htmlReport(run);
    expect(page).toContain('<a class="chip warning" href="#interference">');
    expect(page).toContain('<section id="interference">');
  });

  it('is amber where its noise floor is wider than 5 %, and says so where there is no interval', () => {
    expect(runBadge(run)).toEqual({ kind: 'warning', text: 'noise floor ±7.2 %' });
    expect(runBadge(exampleRun())).toEqual({ kind: 'good', text: 'valid · noise floor ±2.6 %' });
    const bare = exampleTrial();
    const trials = [{ ...bare, throughput: { ...bare.throughput, ciLow: null, ciHigh: null } }];
    expect(runBadge(exampleRun({ noiseFloorPercent: null, trials })).kind).toBe('plain');
  });

  it('tints a recommended row amber where it is neither proven nor within ±5 %', () => {
    const [first] = run.recommendations;
    if (!first) throw new Error('the example recommends nothing');
    const tinted = (status: typeof first.status): RegExpExecArray | null =>
      /<tr class="(recommended[^"]*)">/.exec(htmlReport({ ...run, recommendations: [{ ...first, status }] }));
    expect(tinted('plausible')?.[1]).toBe('recommended unsure hue-0');
    expect(tinted('confirmed')?.[1]).toBe('recommended hue-0');
  });

  it('folds reasons beyond the first few, so that the figures stay in sight', () => {
    const trials = [1, 2, 4, 8, 16, 32, 64].map((pool) =>
      exampleTrial({ settings: { pool }, valid: false, reasons: [`errors at ${pool}`] }),
    );
    const page = htmlReport(exampleRun({ trials, recommendations: [], valid: false }));
    expect(page).toContain('<summary>3 more</summary>');
    expect(page).toContain('errors at 64');
    expect(page).toContain('<p class="headline">Something else was measured</p>');
  });

  it('asks for as many rounds as it takes where the run was asked for like that', () => {
    const { rounds: _, ...request } = run.request;
    const command = repeatCommand({ ...run, request: { ...request, budgetS: 90 } });
    expect(command).toContain('--budget 90');
    expect(command).not.toContain('--rounds');
    expect(repeatCommand(run)).toContain('--rounds 3');
  });

  it('gives every row of its table as many cells as there are columns', () => {
    const table = runTable(presentedRun(run));
    expect(table.rows).toHaveLength(8);
    for (const row of table.rows) expect(row.cells).toHaveLength(table.columns.length);
  });

  it('has what was taken from each block as figures in the CSV', () => {
    const [head = '', first = ''] = csvReport(
      exampleRun({ trials: [exampleTrial({ disturbances: [{ takenPercent: 17, stealPercent: 11, otherPercent: 6 }] })] }),
    ).split('\r\n');
    const cell = (name: string): string | undefined => first.split(',')[head.split(',').indexOf(name)];
    expect(['cpu_taken_percent', 'cpu_stolen_percent', 'cpu_other_percent'].map(cell)).toEqual(['17', '11', '6']);
  });
});
