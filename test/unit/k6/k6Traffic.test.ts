import { describe, expect, it } from 'vitest';
import { blockUrls, blockVariables } from '../../../src/engine/k6/k6Block.ts';
import { k6Traffic } from '../../../src/engine/k6/k6Traffic.ts';
import { rolesBlock } from '../../../src/engine/load/scenario/rolesPlan.ts';
import { type Stage, roleSchema } from '../../../src/model/domain/scenario.ts';
import { failureOf } from './k6Files.ts';

const mix = [
  {
    method: 'GET' as const,
    path: '/ads/:id?x=:idea',
    headers: {},
    weight: 1,
    parameters: { idea: { min: 1, max: 2 }, id: { min: 3, max: 4 } },
  },
];
const load = { mix, timeoutMs: 1000, connections: 8 };
const guest = { name: 'guest', weight: 3, steps: [{ name: 'home', path: '/' }] };
const member = { name: 'member', weight: 1, steps: [{ name: 'list', path: '/list' }] };

function users(stages: Stage[], roles: object[] = [guest, member]) {
  const { connections, ...block } = rolesBlock({
    host: '127.0.0.1',
    port: 1,
    roles: roles.map((role) => roleSchema.parse(role)),
    stages,
    settleMs: 0,
    timeoutMs: 1000,
    seed: 1,
  });
  return { ...load, ...block, connections };
}

describe('a load for k6', () => {
  it('draws parameters in the order of their names, as Benchside does', () => {
    const traffic = k6Traffic(load, undefined);
    expect(traffic).toMatchObject({
      kind: 'mix',
      requests: [
        {
          name: 'GET /ads/:id?x=:idea',
          draws: [
            { min: 3, max: 4, texts: null },
            { min: 1, max: 2, texts: null },
          ],
          path: { literals: ['/ads/', '?x=', ''], holes: [0, 1] },
        },
      ],
    });
  });

  it('gives users their roles in the order of their arrival, and ramps each role by its weight', () => {
    const steady = k6Traffic(
      users([
        { users: 8, seconds: 0 },
        { users: 8, seconds: 5 },
      ]),
      undefined,
    );
    expect(steady).toMatchObject({ kind: 'roles', stages: null, roleOfUser: [0, 0, 1, 0, 0, 0, 1, 0] });
    const ramped = k6Traffic(
      users([
        { users: 8, seconds: 4 },
        { users: 0, seconds: 4 },
      ]),
      undefined,
    );
    expect(ramped).toMatchObject({ roles: [{ stages: [{ users: 6 }, { users: 0 }] }, { stages: [{ users: 2 }, { users: 0 }] }] });
  });

  it('goes where the target listens: at ::1, and over TLS with any certificate', () => {
    const plan = { ...load, host: '::1', port: 8443, morePorts: [8444], tls: true, settleMs: 0, windowMs: 1, seed: 1 };
    const urls = blockUrls(plan);
    expect(urls).toEqual(['https://[::1]:8443', 'https://[::1]:8444']);
    expect(blockVariables(plan, urls)).toMatchObject({ BENCHSIDE_URL: urls.join(','), K6_INSECURE_SKIP_TLS_VERIFY: 'true' });
    expect(blockVariables({ ...plan, tls: false }, urls)).not.toHaveProperty('K6_INSECURE_SKIP_TLS_VERIFY');
  });

  it('is refused with a sentence where k6 cannot do the same', async () => {
    const refused: [Parameters<typeof k6Traffic>[0], RegExp][] = [
      [{ ...load, requests: 100 }, /ends after a number of requests/],
      [{ ...load, mix: [{ ...mix[0]!, headers: { Connection: 'close' } }] }, /closes its connections/],
      [
        users([
          { users: 4, seconds: 1 },
          { users: 1, seconds: 1 },
          { users: 4, seconds: 1 },
        ]),
        /brings the same ones back/,
      ],
      [
        users([{ users: 4, seconds: 1 }], [{ ...guest, steps: [{ name: 'home', path: '/', headers: { Cookie: 'a=b' } }] }]),
        /Cookie header of its own/,
      ],
      [users([{ users: 4, seconds: 1 }], [{ ...guest, steps: [{ name: 'a\nb', path: '/' }] }]), /control character/],
    ];
    for (const [one, message] of refused) {
      const failed = await failureOf(() => k6Traffic(one, undefined));
      expect([failed.code, failed.message]).toEqual(['k6-cannot', expect.stringMatching(message)]);
    }
  });
});
