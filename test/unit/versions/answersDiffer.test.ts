import { describe, expect, it } from 'vitest';
import { answersDiffer } from '../../../src/model/presentation/diffWords.ts';
import type { DifferingAnswer } from '../../../src/model/domain/routeCheck.ts';

const other = (route: string, changes: Partial<DifferingAnswer> = {}): DifferingAnswer => ({
  route,
  what: 'bytes',
  before: 1_000,
  after: 12,
  ...changes,
});

describe('what two versions answered to the same requests', () => {
  it('is said by status, length or content, with the first difference', () => {
    const first = { place: '$.price', before: '12', after: '13' };
    expect(
      answersDiffer([
        other('GET /a'),
        other('GET /b', { what: 'status', before: 200, after: 404 }),
        other('GET /c', { what: 'content', after: 1_000, first }),
      ]),
    ).toEqual([
      'Asked the same, the versions answered otherwise: GET /a with 1,000 bytes before and 12 after the change, GET /b with 200 before and 404 after the change, GET /c with other content of the same length, 1,000 bytes ($.price: 12 → 13). What they cost is then not that of the same work.',
    ]);
    expect(answersDiffer([])).toEqual([]);
  });

  it('is counted where it is much', () => {
    const [said] = answersDiffer(Array.from({ length: 8 }, (_, index) => other(`GET /${index}`)));
    expect(said).toContain(', and 3 more.');
  });
});
