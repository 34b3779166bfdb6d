import { describe, expect, it } from 'vitest';
import { parseTags } from '../../../../src/extension/runs/runTags.ts';
import { runMarksSchema } from '../../../../src/model/domain/run.ts';

describe('tags as typed', () => {
  it('are separated by commas, each once, with or without a hash', () => {
    expect(parseTags(' main, #v2 ;main,, before the index ')).toEqual({ ok: true, value: ['main', 'v2', 'before the index'] });
    expect(parseTags('')).toEqual({ ok: true, value: [] });
  });

  it('are refused where the store would not take them', () => {
    const many = parseTags(Array.from({ length: 11 }, (_, index) => `t${index}`).join());
    expect(many).toMatchObject({ ok: false, problem: expect.stringContaining('At most 10') });
    expect(parseTags('x'.repeat(31))).toMatchObject({ ok: false, problem: expect.stringContaining('too long') });
    const most = parseTags(Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(30, 'x')).join());
    expect(most.ok && runMarksSchema.safeParse({ tags: most.value }).success).toBe(true);
  });
});
