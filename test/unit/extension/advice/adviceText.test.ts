import { describe, expect, it } from 'vitest';
import { adviceLines, adviceSql } from '../../../../src/extension/advice/adviceText.ts';
import { index, pool } from '../../../support/adviceRecords.ts';

describe('an advice as text', () => {
  it('is SQL for a migration that says where it was measured, and nothing of what is no SQL', () => {
    const sql = adviceSql([index, pool]);
    expect(sql).toContain('-- index ads (seller)\nCREATE INDEX CONCURRENTLY ads_seller_idx ON public.ads (seller);\n');
    expect(sql).toContain('cannot run inside a transaction');
    expect(sql).not.toContain('POOL');
    expect(adviceSql([pool])).toBe('');
  });

  it('lets no name leave its comment', () => {
    const sql = adviceSql([{ ...index, id: 'index a\nDROP TABLE ads;--' }]);
    expect(sql.split('\n').filter((line) => line.startsWith('DROP'))).toEqual([]);
  });

  it('is a line for each variable, option and statement where it is copied', () => {
    expect(adviceLines([index, pool])).toBe('CREATE INDEX CONCURRENTLY ads_seller_idx ON public.ads (seller);\nPOOL=4');
  });
});
