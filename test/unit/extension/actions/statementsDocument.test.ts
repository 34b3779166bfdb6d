import { describe, expect, it } from 'vitest';
import { statementsDocument } from '../../../../src/extension/actions/statementsDocument.ts';
import type { StatementUse } from '../../../../src/model/domain/statement.ts';
import { exampleRun } from '../../../support/runRecords.ts';

const statement: StatementUse = {
  sql: 'SELECT * FROM ads WHERE id = $1',
  database: 'board',
  calls: 2000,
  totalMs: 1000,
  meanMs: 0.5,
  share: 0.97,
  rows: 2000,
  blocksRead: 0,
  walBytes: 0,
  bypassed: null,
  looks: null,
  plan: 'Index Scan using ads_pkey on ads\n  Index Cond: (id = $1)',
};

function documentOf(statements: StatementUse[]): string {
  const run = exampleRun();
  const [trial] = run.trials;
  if (trial === undefined) throw new Error('the example has no trial');
  return statementsDocument(run, { ...trial, requests: 1000, statements });
}

describe('the page of a trial’s statements', () => {
  it('has each with its figures above and its plan below', () => {
    expect(
      documentOf([
        statement,
        { ...statement, sql: 'COMMIT', share: 0.03, plan: null, rows: 0, walBytes: 4000, bypassed: null, looks: null },
      ]),
    ).toContain(
      [
        '-- 1. 97.0 % of the time · 0.500 ms per call · 2,000 calls (2.00 per request) · 1.00 rows per call · database board',
        'SELECT * FROM ads WHERE id = $1;',
        '-- Plan:',
        '-- Index Scan using ads_pkey on ads',
        '--   Index Cond: (id = $1)',
        '',
        '-- 2. 3.00 % of the time · 0.500 ms per call · 2,000 calls (2.00 per request) · 0 rows per call · 2 bytes of WAL per call · database board',
        'COMMIT;',
        '',
      ].join('\n'),
    );
  });

  it('takes the indentation of the app’s source from the SQL', () => {
    const sql = 'SELECT a\n    FROM (\n      SELECT 1 AS a\n    ) AS b\n\n    LIMIT 1;  ';
    expect(documentOf([{ ...statement, sql }])).toContain('\nSELECT a\nFROM (\n  SELECT 1 AS a\n) AS b\nLIMIT 1;\n');
  });

  it('keeps names and plans of others within its comments', () => {
    const text = documentOf([{ ...statement, database: 'a\nDROP TABLE ads;', plan: 'x\r\nDROP TABLE ads;' }]);
    const outside = text.split('\n').filter((line) => line !== '' && !line.startsWith('-- '));
    expect(outside).toEqual(['SELECT * FROM ads WHERE id = $1;']);
  });
});
