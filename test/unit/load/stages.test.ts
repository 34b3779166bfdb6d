import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostUsers, profileStages, stagesSeconds, steadyStages, usersAt } from '../../../src/engine/load/stages/stages.ts';

describe('users by stages', () => {
  it('are t·n/T in a ramp-up, whole ones only', () => {
    const ramp = [{ users: 210, seconds: 30 }];
    expect([0, 0.14, 0.15, 1, 10, 29.9, 30, 1000].map((t) => usersAt(ramp, t))).toEqual([0, 0, 1, 7, 70, 209, 210, 210]);
    // 0.1 × 3 is a little more, 0.7 × 10 a little less than it should be.
    for (let s = 0; s <= 10; s++) expect(usersAt([{ users: 100, seconds: 10 }], s)).toBe(10 * s);
  });

  it('hold, jump and go down', () => {
    const spike = [
      { users: 10, seconds: 0 },
      { users: 10, seconds: 5 },
      { users: 100, seconds: 0 },
      { users: 100, seconds: 2 },
      { users: 0, seconds: 4 },
    ];
    expect([0, 4.99, 5, 6.9, 7, 8, 9, 10.9, 11].map((t) => usersAt(spike, t))).toEqual([10, 10, 100, 100, 100, 75, 50, 2, 0]);
    expect([stagesSeconds(spike), mostUsers(spike)]).toEqual([11, 100]);
  });

  it('never leave the range of their stages', () => {
    const stage = fc.record({ users: fc.nat(10_000), seconds: fc.double({ min: 0, max: 1000, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 8 }), fc.double({ min: 0, max: 9000, noNaN: true }), (stages, atS) => {
        const users = usersAt(stages, atS);
        expect(Number.isInteger(users)).toBe(true);
        expect(users).toBeGreaterThanOrEqual(0);
        expect(users).toBeLessThanOrEqual(mostUsers(stages));
        if (atS >= stagesSeconds(stages)) expect(users).toBe(stages.at(-1)?.users);
      }),
    );
  });

  it('are those of the profile, or its connections where it has roles, or none', () => {
    const plain = { settleS: 1, durationS: 4 };
    const roles = [{ name: 'guest', weight: 1, once: [], steps: [] }];
    expect(profileStages(plain, 8)).toBeNull();
    expect(profileStages({ ...plain, roles }, 8)).toEqual(steadyStages(8, 5));
    expect(profileStages({ ...plain, roles, stages: [{ users: 3, seconds: 9 }] }, 8)).toEqual([{ users: 3, seconds: 9 }]);
    expect(usersAt(steadyStages(8, 5), 0)).toBe(8);
  });
});
