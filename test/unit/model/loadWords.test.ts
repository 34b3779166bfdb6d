import { describe, expect, it } from 'vitest';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { loadPhrase } from '../../../src/model/presentation/loadWords.ts';

const load = (more: object) => loadPhrase(loadProfileSchema.parse({ name: 'x', connections: 8, ...more }));

describe('a load profile beside its name', () => {
  it('is told by what it takes and what it is for', () => {
    expect(load({ budgetS: 60, purpose: 'first answer' })).toBe('about 1 min · first answer');
    expect(
      load({
        settleS: 0,
        stages: [
          { users: 4, seconds: 30 },
          { users: 4, seconds: 10 },
        ],
      }),
    ).toBe('about 40 s');
    expect(load({ settleS: 1, durationS: 4, rounds: 2, connections: [8, 16] })).toBe('about 20 s a setting');
  });
});
