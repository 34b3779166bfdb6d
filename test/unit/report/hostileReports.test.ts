import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { Output } from '../../../src/cli/output.ts';
import { runText } from '../../../src/cli/runText.ts';
import { csvReport } from '../../../src/engine/report/csvReport.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { type RunRecord, runRecordSchema } from '../../../src/model/domain/run.ts';
import { settingValuesSchema } from '../../../src/model/domain/setting.ts';
import { hostileTexts } from '../../support/hostileTexts.ts';
import { parseCsv } from '../../support/parseCsv.ts';
import { Poisoner } from '../../support/poisoned.ts';
import { exampleRecommendation, exampleRun, exampleTrial } from '../../support/runRecords.ts';

const run = exampleRun({
  notes: recorded('a note'),
  reasons: recorded('a reason'),
  trials: [
    exampleTrial(),
    { ...exampleTrial({ settings: { pool: 8 }, valid: false, reasons: recorded('it was saturated') }), notes: recorded('of a trial') },
  ],
  recommendations: [
    exampleRecommendation({
      evidence: [
        { kind: 'figures', says: 'for', code: 'recorded', sentence: 'one says so' },
        { kind: 'mechanism', says: 'against', code: 'recorded', sentence: 'the other not' },
      ],
    }),
  ],
});
const poisoner = new Poisoner('probe <b>');

/** The run with one text in every place in which anybody could have written it. What every object has can name no setting: it is refused, or dropped. */
function withEverywhere(text: string): RunRecord {
  const named = text in Object.prototype ? `${text} .` : text;
  return runRecordSchema.parse(poisoner.poison(run, runRecordSchema, () => named, 'run'));
}

const carriedOut = /[\p{Cc}\p{Bidi_Control}]/u;
const lines = /[\n\t\r]/g;

/** Markdown without what is code, and without what is escaped: only what means something is left. */
function meaning(markdown: string): string {
  return markdown
    .replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '')
    .replace(/\\[!-/:-@[-`{-~]/g, '')
    .replace(/<\/?(?:details|summary)>/g, '');
}

describe('two hundred hostile names in every place of a run', () => {
  it('are two hundred, and are put into many places', () => {
    withEverywhere('x');
    expect(hostileTexts.length).toBeGreaterThanOrEqual(200);
    expect(poisoner.places).toBeGreaterThan(30);
  });

  it('name no setting where every object has such a member', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])
      expect(settingValuesSchema.safeParse({ [name]: 1 }).success, name).toBe(false);
    expect(settingValuesSchema.safeParse({ pool: 1, proto: 2 }).success).toBe(true);
  });

  it('reach no terminal as something to carry out', () => {
    let given = '';
    const stream = { isTTY: true, columns: 80, write: (data: string | Uint8Array) => (given += String(data)) };
    const output = new Output(stream, stream);
    for (const text of hostileTexts) {
      given = '';
      const record = withEverywhere(text);
      output.print(runText(record));
      output.json(record);
      expect(carriedOut.test(given.replace(lines, '')), JSON.stringify(text.slice(0, 60))).toBe(false);
    }
  });

  it('are no formula in CSV, and leave its rows and columns as they are', () => {
    const expected = parseCsv(csvReport(withEverywhere('harmless')));
    for (const text of hostileTexts) {
      const csv = csvReport(withEverywhere(text));
      const rows = parseCsv(csv);
      expect(
        rows.map((row) => row.length),
        JSON.stringify(text.slice(0, 60)),
      ).toEqual(expected.map((row) => row.length));
      const formulas = rows.flat().filter((cell) => /^\s*[=+@＝＋－＠-]/.test(cell) && Number.isNaN(Number(cell)));
      expect(formulas).toEqual([]);
      expect(carriedOut.test(csv.replace(lines, ''))).toBe(false);
    }
  });

  it('are no markup in Markdown: no link, no element, no cell of their own', () => {
    const cells = (markdown: string): number[] =>
      meaning(markdown)
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((line) => line.split('|').length);
    const expected = cells(markdownReport(withEverywhere('harmless')));
    for (const text of hostileTexts) {
      const markdown = markdownReport(withEverywhere(text));
      const about = JSON.stringify(text.slice(0, 60));
      expect(meaning(markdown), about).not.toMatch(/[<>[\]`~$]|:\/\/|\bwww\.|!\(/);
      expect(cells(markdown), about).toEqual(expected);
      expect(carriedOut.test(markdown.replace(lines, '')), about).toBe(false);
    }
  });

  it('are text in the HTML report', () => {
    const tags = (html: string): string[] =>
      [...html.replace(/<(style|script)[^>]*>[\s\S]*?<\/\1>/g, '').matchAll(/<\/?([a-z][\w-]*)/gi)].map(([, name]) => name ?? '');
    const expected = tags(htmlReport(withEverywhere('harmless')));
    for (const text of hostileTexts) {
      const html = htmlReport(withEverywhere(text));
      expect(tags(html), JSON.stringify(text.slice(0, 60))).toEqual(expected);
      expect(carriedOut.test(html.replace(lines, ''))).toBe(false);
    }
  });
});
