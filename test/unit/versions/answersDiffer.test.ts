import { describe, expect, it } from 'vitest';
import { answersDiffer, comparedAnswers } from '../../../src/engine/versions/answersDiffer.ts';
import type { AnswerDigest } from '../../../src/model/routeCheck.ts';

const answer = (route: string, changes: Partial<AnswerDigest> = {}): AnswerDigest => ({
  route,
  path: route.replace(/^\S+ /, ''),
  status: 200,
  bytes: 1_000,
  whole: true,
  sha256: 'a',
  ...changes,
});

describe('what two versions answered to the same first requests', () => {
  it('is said where status or length differ', () => {
    const base = [answer('GET /a'), answer('GET /b'), answer('GET /c')];
    const head = [answer('GET /a', { bytes: 12, sha256: 'b' }), answer('GET /b', { status: 404, sha256: 'c' }), answer('GET /c')];
    expect(answersDiffer(base, head)).toEqual([
      'Asked the same, the versions answered otherwise: GET /a with 1,000 bytes before and 12 after the change, GET /b with 200 before and 404 after the change. What they cost is then not that of the same work.',
    ]);
  });

  it('is not where they may hold another time or id, were not read to their end, or were not asked the same', () => {
    const base = [answer('GET /a'), answer('GET /long', { whole: false }), answer('GET /new'), answer('GET /x/:id')];
    const head = [
      answer('GET /a', { sha256: 'b' }),
      answer('GET /long', { bytes: 9, sha256: 'b' }),
      answer('GET /x/:id', { path: '/x/7', bytes: 9, sha256: 'b' }),
    ];
    expect(answersDiffer(base, head)).toEqual([]);
    expect(answersDiffer(undefined, head)).toEqual([]);
  });

  it('is said of the same length, too, where a second start showed that the answer stays the same', () => {
    const steady = { sha256: 'a', steady: true };
    const base = [answer('GET /price', steady), answer('GET /now', { steady: false }), answer('GET /once'), answer('GET /drawn', steady)];
    const head = [
      answer('GET /price', { sha256: 'b', steady: true }),
      answer('GET /now', { sha256: 'b', bytes: 1_001, steady: false }),
      answer('GET /once', { sha256: 'b', steady: true }),
      answer('GET /drawn', { sha256: 'b' }),
    ];
    expect(comparedAnswers(base, head)).toEqual({
      asked: 4,
      differing: [
        { route: 'GET /price', what: 'content', before: 1_000, after: 1_000 },
        { route: 'GET /drawn', what: 'content', before: 1_000, after: 1_000 },
      ],
    });
    expect(answersDiffer(base, head)[0]).toContain('GET /price with other content of the same length, 1,000 bytes');
  });

  it('are not compared where no route was asked', () => {
    expect(comparedAnswers(undefined, [answer('GET /a')])).toBeUndefined();
  });

  it('is counted where it is much', () => {
    const base = Array.from({ length: 8 }, (_, index) => answer(`GET /${index}`));
    const [said] = answersDiffer(
      base,
      base.map((one) => ({ ...one, bytes: 1, sha256: 'b' })),
    );
    expect(said).toContain(', and 3 more.');
  });
});
