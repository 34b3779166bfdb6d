import { describe, expect, it } from 'vitest';
import { AnswerChecks } from '../../../src/engine/load/answerChecks.ts';
import { expectedAnswer } from '../../../src/engine/load/expectedAnswer.ts';
import { resolveRequestMix } from '../../../src/engine/load/requestMix.ts';
import { stepsOf } from '../../../src/model/domain/expectation.ts';
import { routeSchema } from '../../../src/model/domain/target.ts';

const mixOf = (...routes: object[]) => resolveRequestMix({ targetId: 'app', routes: routes.map((one) => routeSchema.parse(one)) }).mix;
const good = (route: object) => {
  const [request] = mixOf({ path: '/', ...route });
  return request === undefined ? null : expectedAnswer(request);
};
const query = { method: 'POST', path: '/graphql', body: '{"query":"{ items { id } }"}' };

describe('what is expected of an answer', () => {
  it('is nothing more than 2xx or 3xx where nothing is said, and no errors of a GraphQL query', () => {
    expect(good({})).toBeNull();
    const graphql = good(query);
    expect(graphql?.wrongBody?.('{"errors":[{"message":"no"}],"data":null}')).toBe('has $.errors');
    for (const right of ['{"data":{}}', '{"errors":[],"data":{}}', '--part\r\n\r\n{}']) expect(graphql?.wrongBody?.(right)).toBeNull();
    expect(good({ ...query, expect: { body: { json: '$.data' } } })?.wrongBody?.('{"errors":[1],"data":{}}')).toBeNull();
  });

  it('is a place that is there, or one that is not', () => {
    const there = good({ expect: { body: { json: '$.items[1].id' } } })?.wrongBody;
    expect([there?.('{"items":[{},{"id":0}]}'), there?.('{"items":[{"id":1}]}'), there?.('{"items":[{},{"id":null}]}')]).toEqual([
      null,
      'has no $.items[1].id',
      'has no $.items[1].id',
    ]);
    expect(there?.('<html>')).toBe('is not JSON');
    const absent = good({ expect: { body: { not: "$['was wrong']" } } })?.wrongBody;
    expect(['{}', '{"was wrong":[]}', '{"was wrong":false}'].map((body) => absent?.(body))).toEqual([null, null, null]);
    expect(absent?.('{"was wrong":0}')).toBe("has $['was wrong']");
    // What every object inherits is no part of a document.
    expect(good({ expect: { body: { json: '$.constructor' } } })?.wrongBody?.('{}')).toBe('has no $.constructor');
  });

  it('is written as places of JSONPath with names and indices, and nothing else', () => {
    expect(stepsOf("$.a.b_c[10]['d e'].f")).toEqual(['a', 'b_c', '10', 'd e', 'f']);
    expect(stepsOf('$')).toEqual([]);
    for (const wrong of ['data', '$..data', '$.a[*]', '$.a[-1]', '$.'])
      expect(routeSchema.safeParse({ path: '/', expect: { body: { json: wrong } } }).success).toBe(false);
  });
});

describe('answers under load', () => {
  it('are looked at only where something is expected', () => {
    expect(AnswerChecks.of(mixOf({ path: '/a' }, { path: '/b' }))).toBeNull();
  });

  it('count by the statuses that are expected, each of its own route', () => {
    const checks = AnswerChecks.of(mixOf({ path: '/a', expect: { status: [404] } }, { path: '/b' }));
    expect([404, 200, 503, 429].map((status) => checks?.judge(0, status, null))).toEqual(['', 'unexpected', 'status5xx', 'limited']);
    expect([404, 200].map((status) => checks?.judge(1, status, null))).toEqual(['status4xx', '']);
    expect(checks?.readsBody(0)).toBe(false);
  });

  it('have the first bodies read, and all of a route from its first wrong one on', () => {
    const checks = AnswerChecks.of(mixOf(query));
    expect(checks?.readsBody(0)).toBe(true);
    // What takes long is not read again for a while.
    const long = `{"data":[${'1,'.repeat(2_000_000)}1]}`;
    expect(checks?.judge(0, 200, long)).toBe('');
    expect(checks?.readsBody(0)).toBe(false);
    expect(checks?.judge(0, 200, '{"errors":[{}]}')).toBe('unexpected');
    expect(checks?.readsBody(0)).toBe(true);
  });
});
