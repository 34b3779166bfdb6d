import { describe, expect, it } from 'vitest';
import { adviceReport } from '../../../src/engine/report/renderReport.ts';
import { textOf } from '../../../src/cli/textDocument.ts';
import { type Advice, adviceSchema } from '../../../src/model/domain/advice.ts';
import { sideOf } from '../../../src/engine/advise/sideSettings.ts';
import { adviceAnswer } from '../../../src/model/agents/serviceAnswers.ts';
import { adviceDocument, adviceHeadline, notTriedItems } from '../../../src/model/presentation/documents/adviceDocument.ts';
import { advice, cheaper, heap, slower } from '../../support/adviceRecords.ts';

function reportOf(of: Advice, format: 'html' | 'markdown'): string {
  return adviceReport({ advice: of, startedAt: '2026-01-01T00:00:00.000Z' }, format).text;
}

describe('what would help, in words', () => {
  it('names what helps most, what else does, and what all of it does together', () => {
    expect(adviceHeadline(advice)).toBe(
      'index ads (seller) helps most: +150 % (+100 % to +200 %) throughput. So does pool=<b>4. Together (index ads (seller) and pool=<b>4): +160 % (+110 % to +220 %) throughput; not distinguished from the best alone.',
    );
    expect(adviceHeadline({ ...advice, tried: [heap], together: null })).toBe(
      'Nothing that was tried helps: of one change none has more throughput beyond chance.',
    );
    expect(adviceHeadline({ ...advice, tried: [], together: null })).toBe('Nothing was measured.');
    expect(adviceHeadline({ ...advice, tried: [], notTried: [], together: null })).toBe('Nothing was found that could be tried.');
  });

  it('says how to have what helps and of nothing else, and what was only screened', () => {
    const text = textOf(adviceDocument(advice));
    expect(text).toContain('\nCREATE INDEX CONCURRENTLY ads_seller_idx');
    expect(text).toContain('2.0 MiB on disk, made in 500 ms; its statement 12.0 → 1.50 ms; written ahead per request 100 B → 220 B');
    expect(text.split('POOL=4')).toHaveLength(2);
    expect(text).toContain('ahead (screened only)');
    expect(text).toContain('index ads (title): PostgreSQL would not use it');
  });

  it('keeps what makes it slower apart from what did nothing', () => {
    const text = reportOf({ ...advice, tried: [...advice.tried, slower] }, 'markdown');
    const [, worse = '', nothing = ''] = /What makes it slower([^]*)What did nothing([^]*)Not measured/.exec(text) ?? [];
    expect(worse).toContain('node.semi-space');
    expect(worse).not.toContain('node.heap');
    expect(nothing).toContain('node.heap');
  });

  it('has what is the same for less in a part of its own, with how to have it', () => {
    const text = reportOf({ ...advice, tried: [...advice.tried, cheaper] }, 'markdown');
    const [, same = '', have = ''] = /The same, but cheaper([^]*)Tried, in the order of effect([^]*)What did nothing/.exec(text) ?? [];
    expect(same).toContain('pool=2');
    expect(same).toContain('connections 10 → 2');
    expect(have).toContain('POOL=2');
    expect(adviceHeadline({ ...advice, tried: [cheaper], together: null })).toBe(
      'Nothing that was tried helps: of one change none has more throughput beyond chance. pool=2 gives the same within ±5 % for less: connections 10 → 2.',
    );
    const { said, data } = adviceAnswer({ ...advice, tried: [cheaper] }, {});
    expect(said.join('\n')).toContain('0 help beyond chance and 1 are the same for less');
    expect(data).toContain('to have pool=2 (environment): POOL=2');
  });

  it('stands in a page and in Markdown as text alone', () => {
    expect(reportOf(advice, 'html')).not.toContain('<b>4');
    expect(reportOf(advice, 'html')).not.toContain('<script');
    expect(reportOf(advice, 'markdown')).toContain(String.raw`pool=\<b\>4: environment: POOL=4`);
  });

  it('is told to agents with names of the app among the data alone', () => {
    const { said, data } = adviceAnswer(advice, {});
    expect(said.join('\n')).not.toContain('ads');
    expect(said).toContain('change 1: better, throughput +150 % (95 % interval +100 % to +200 %), measured');
    expect(data.join('\n')).toContain('to have index ads (seller) (sql): CREATE INDEX');
  });

  it('is the same after a message', () => {
    expect(adviceSchema.parse(JSON.parse(JSON.stringify(advice)))).toEqual(advice);
  });
});

describe('what a service does not start with', () => {
  it('is named with why, apart from what there was no time for', () => {
    const failure = {
      code: 'target-exited',
      message: 'Java exited with code 1 before it was ready.',
      cure: 'Look.',
      detail: 'warning\nneeds Java 21 or later\n',
    } as const;
    const notTried = [
      { id: 'threads=virtual', why: 'start', failure },
      { id: 'pool=16', why: 'time' },
      { id: 'pool=32', why: 'time' },
    ] satisfies Advice['notTried'];
    expect(notTriedItems(notTried).map(({ text }) => text)).toEqual([
      'pool=16 and pool=32: the budget was spent',
      'threads=virtual: the service does not start with it. Java exited with code 1 before it was ready. needs Java 21 or later',
    ]);
  });

  it('is the change that the side has, of several with the same value the one with most of them', () => {
    const changes = [{ threads: 'virtual' }, { pool: 16 }, { pool: 16, threads: 'virtual' }];
    expect(sideOf({ pool: 1, threads: 'virtual' }, changes)).toBe(0);
    expect(sideOf({ pool: 16, threads: 'virtual', instances: 2 }, changes)).toBe(2);
    expect(sideOf({ pool: 1, threads: 'platform' }, changes)).toBe(-1);
  });
});
