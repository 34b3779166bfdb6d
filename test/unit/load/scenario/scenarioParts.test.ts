import { describe, expect, it } from 'vitest';
import { compileMix, compileRoles } from '../../../../src/engine/load/scenario/compileRoles.ts';
import { CookieJar } from '../../../../src/engine/load/scenario/cookieJar.ts';
import { embeddedAssets, isCacheable } from '../../../../src/engine/load/scenario/embeddedAssets.ts';
import { requireVariables, withVariables } from '../../../../src/engine/load/scenario/environmentHoles.ts';
import { parseExtractor } from '../../../../src/engine/load/scenario/extract.ts';
import { fewestOf, mostOf } from '../../../../src/engine/load/scenario/roleShares.ts';
import { stepMetrics } from '../../../../src/engine/load/scenario/stepMetrics.ts';
import { StepMeters } from '../../../../src/engine/load/scenario/stepMeters.ts';
import { fillRequest } from '../../../../src/engine/load/scenario/stepRequest.ts';
import type { TemplateScope } from '../../../../src/engine/load/scenario/template.ts';
import { SeededRandom } from '../../../../src/engine/statistics/seededRandom.ts';
import { FailureError } from '../../../../src/model/domain/failure.ts';
import { roleSchema } from '../../../../src/model/domain/scenario.ts';

function messageOf(steps: object[], once: object[] = []): string {
  try {
    compileRoles([roleSchema.parse({ name: 'guest', weight: 1, once, steps })]);
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'scenario-invalid') return error.failure.message;
    throw error;
  }
  return 'valid';
}

function scope(values: Record<string, string> = {}): TemplateScope {
  return { user: 4, unique: 'k3f-4', iteration: 9, values: new Map(Object.entries(values)), random: new SeededRandom(1) };
}

describe('a scenario', () => {
  it('draws values by their weights, and refuses weights that are none', () => {
    const [role] = compileRoles([
      roleSchema.parse({ name: 'guest', weight: 1, steps: [{ name: 'a', path: '/x/{{any:a%2Cb*3,c,%7B%7D}}' }] }),
    ]).roles;
    const drawn = new Map<string, number>();
    const own = scope();
    for (let n = 0; n < 5_000; n += 1) {
      const { path } = fillRequest(role?.steps[0] ?? expect.fail('there is a step'), own);
      drawn.set(path, (drawn.get(path) ?? 0) + 1);
    }
    expect([...drawn.keys()].sort()).toEqual(['/x/%7B%7D', '/x/a%2Cb', '/x/c']);
    expect((drawn.get('/x/a%2Cb') ?? 0) / 5_000).toBeCloseTo(0.6, 1);
    for (const wrong of ['any:a*0', 'any:a*-1', 'any:a*x', 'any:a*1*2', 'any:%zz'])
      expect(messageOf([{ name: 'a', path: `/{{${wrong}}}` }])).toContain('cannot be understood');
  });

  it('takes variables of the environment as their place asks for, and names those that are missing', () => {
    const step = {
      name: 'a',
      method: 'POST',
      path: '/${env:ONE}',
      headers: { authorization: 'Bearer ${env:TWO}' },
      body: '{"password":"${env:ONE}"}',
    };
    const roles = [roleSchema.parse({ name: 'guest', weight: 1, steps: [step] })];
    expect(withVariables(roles, { ONE: 'a "b"', TWO: 'c' })[0]?.steps[0]).toMatchObject({
      path: '/a%20%22b%22',
      headers: { authorization: 'Bearer c' },
      body: '{"password":"a \\"b\\""}',
    });
    expect(() => requireVariables(roles, { ONE: 'x' })).toThrow('TWO');
  });

  it('is refused with a sentence that names the step and what is wrong', () => {
    expect(messageOf([{ name: 'a', path: '/{{nope}}' }])).toBe('Step ‘a’ of role ‘guest’ uses ‘nope’, which no step before it extracts.');
    expect(messageOf([{ name: 'a', path: '/{{random:9-1}}' }])).toMatch(
      /^Step ‘a’ of role ‘guest’ cannot be understood: “\{\{random:9-1\}\}” is not \{\{name\}\}/,
    );
    expect(messageOf([{ name: 'a', path: '/', extract: { id: 'id' } }])).toBe(
      'Step ‘a’ of role ‘guest’ cannot extract ‘id’: “id” is not a JSON pointer such as /id, header:Location, or regex:id=([0-9]+).',
    );
    expect(messageOf([{ name: 'a', path: '/', extract: { id: 'regex:id=[0-9]+' } }])).toContain('has not exactly one group');
    expect(messageOf([{ name: 'a', path: '/', extract: { id: 'regex:(' } }])).toContain('is not a regular expression');
    expect(
      messageOf([
        { name: 'a', path: '/' },
        { name: 'a', path: '/b' },
      ]),
    ).toBe('Two steps of role ‘guest’ are named ‘a’.');
    expect(messageOf([{ name: 'a', path: '/', body: '{}' }])).toBe('Step ‘a’ of role ‘guest’ is a GET and has a body.');
    expect(messageOf([{ name: 'a', method: 'POST', path: '/', multipart: [{ name: 'p' }] }])).toBe(
      'Part ‘p’ of step ‘a’ of role ‘guest’ needs either text or bytes.',
    );
    expect(messageOf([{ name: 'a', path: '/', thinkMs: { min: 2, max: 1 } }])).toContain('think time whose min is above its max');
    expect(messageOf([{ name: 'a', path: '/{{id}}' }], [{ name: 'in', path: '/in', extract: { id: '/id' } }])).toBe('valid');
  });

  it('fills its holes, and what is filled in cannot leave its place', () => {
    const { roles } = compileRoles([
      roleSchema.parse({
        name: 'guest',
        weight: 1,
        once: [{ name: 'in', path: '/', extract: { evil: '/evil' } }],
        steps: [
          {
            name: 'post',
            method: 'POST',
            path: '/ä b/{{evil}}?u={{user}}&i={{ iteration }}&r={{random:5-5}}&x={{unique}}',
            headers: { 'X-Evil': 'v {{evil}}', Connection: 'keep-alive', 'Content-Length': '3' },
            body: '{"text":"{{evil}}"}',
          },
        ],
      }),
    ]);
    const step = roles[0]?.steps[0];
    if (step === undefined) throw new Error('no step');
    const evil = '../a?b"\r\nX: y\ud800';
    const { path, headers, body } = fillRequest(step, scope({ evil }));
    expect(path).toBe('/%C3%A4%20b/..%2Fa%3Fb%22%0D%0AX%3A%20y%EF%BF%BD?u=4&i=9&r=5&x=k3f-4');
    expect(headers).toEqual({ 'x-evil': 'v ../a?b" X: y ', 'content-type': 'application/json' });
    expect(JSON.parse(String(body))).toEqual({ text: evil });
  });

  it('draws requests of a mix by weight, with the same value for a parameter wherever it stands', () => {
    const { roles, steps } = compileMix([
      { method: 'PUT', path: '/ads/:id/:idea', headers: {}, body: '{"id"::id}', weight: 3, parameters: { id: { min: 1, max: 9 } } },
      { method: 'GET', path: '/', headers: {}, weight: 1, parameters: {} },
    ]);
    expect(roles[0]?.steps.map(({ upTo }) => upTo)).toEqual([0.75, 1]);
    expect(steps).toEqual([
      { role: 'mix', step: 'PUT /ads/:id/:idea' },
      { role: 'mix', step: 'GET /' },
    ]);
    const step = roles[0]?.steps[0];
    if (step === undefined) throw new Error('no step');
    expect(fillRequest(step, scope({ id: '7' }))).toMatchObject({ path: '/ads/7/:idea', body: '{"id":7}' });
  });
});

describe('an extraction', () => {
  const answer = (text: string | null, headers: Record<string, string> = {}) => ({
    headers: new Map(Object.entries(headers)),
    text: () => text,
  });
  const take = (source: string, of: ReturnType<typeof answer>): unknown => {
    const parsed = parseExtractor(source);
    return typeof parsed === 'string' ? parsed : parsed.extract(of);
  };

  it('follows JSON pointers through members, items and escapes', () => {
    const text = JSON.stringify({ a: [{ 'x/y~z': 1 }], n: null, o: {}, f: false, toString: 'own' });
    expect(take('/a/0/x~1y~0z', answer(text))).toEqual({ value: '1' });
    expect(take('/f', answer(text))).toEqual({ value: 'false' });
    expect(take('/a/00', answer(text))).toEqual({ missing: 'no /a/00 in the answer' });
    expect(take('/n', answer(text))).toEqual({ missing: 'no /n in the answer' });
    expect(take('/constructor', answer(text))).toEqual({ missing: 'no /constructor in the answer' });
    expect(take('/o', answer(text))).toEqual({ missing: '/o in the answer is not a single value' });
    expect(take('/id', answer('<html>'))).toEqual({ missing: 'the answer is not JSON' });
    expect(take('/id', answer(null))).toEqual({ missing: 'the answer is too long to be read' });
    expect(take('', answer('"whole"'))).toEqual({ value: 'whole' });
  });

  it('reads headers and groups, and says what is not there', () => {
    expect(take('header:Location', answer('', { location: '/reviews/8' }))).toEqual({ value: '/reviews/8' });
    expect(take('header:Location', answer(''))).toEqual({ missing: 'no header Location in the answer' });
    expect(take('regex:/reviews/(\\d+)', answer('see /reviews/12'))).toEqual({ value: '12' });
    expect(take('regex:b=(\\d+)', answer('a=1'))).toEqual({ missing: 'no match of b=(\\d+) in the answer' });
    expect(take('/id', answer(JSON.stringify({ id: 'x'.repeat(5000) })))).toEqual({ missing: 'the value is longer than 4096 characters' });
  });
});

describe('a cookie jar', () => {
  it('sends cookies by path, longer paths first, and forgets them at their time', () => {
    const jar = new CookieJar('127.0.0.1');
    jar.store(
      ['a=1; Path=/', 'b=2; Path=/shop', 'c=3; Max-Age=10; HttpOnly; Secure', 'd=4; Domain=example.com'],
      '/shop/cart/add?x=/y/',
      0,
    );
    expect(jar.header('/', 0)).toBe('a=1');
    expect(jar.header('/shop?x', 0)).toBe('b=2; a=1');
    expect(jar.header('/shopping', 0)).toBe('a=1');
    expect(jar.header('/shop/cart/list', 9_999)).toBe('c=3; b=2; a=1');
    expect(jar.header('/shop/cart/list', 10_000)).toBe('b=2; a=1');
    jar.store(['a=; Max-Age=0; Path=/', 'b=9; Path=/shop; Expires=Thu, 01 Jan 2037 00:00:00 GMT'], '/', 20_000);
    expect(jar.header('/shop/', 20_000)).toBe('b=9');
    expect(jar.header('/', 20_000)).toBeNull();
  });

  it('stays small whatever a server sets', () => {
    const jar = new CookieJar('127.0.0.1');
    for (let i = 0; i < 500; i++) jar.store([`c${i}=1; Path=/`], '/', 0);
    expect(jar.header('/', 0)?.split('; ')).toHaveLength(50);
    expect(jar.header('/', 0)).toContain('c499=1');
  });
});

describe('embedded assets', () => {
  it('are scripts, style sheets and images of the target, once each, not in comments or texts', () => {
    const html = `<!-- <img src="/no"> --><LINK HREF='s.css' REL='preload stylesheet'><script>"<img src=/no>"</script><script src=/a.js defer></script>
      <img src="//127.0.0.1:80/x.svg"><img src="http://127.0.0.1:8080/i.png?a=1&amp;b=2#top"><img src="data:image/gif;base64,R0"><img src="/a.js"><img src=" ">
      <a href="/no"><textarea><img src="/no"></textarea><img src="http://[bad"><img src=' /t.png '>`;
    expect(embeddedAssets(html, '/page/index.html?bundle=1', '127.0.0.1:8080')).toEqual([
      '/page/s.css',
      '/a.js',
      '/i.png?a=1&b=2',
      '/t.png',
    ]);
    expect(embeddedAssets('<base href="/deep/er/"><img src="x.png">', '/', '127.0.0.1:8080')).toEqual(['/deep/er/x.png']);
  });

  it('are kept as a browser keeps them', () => {
    expect([undefined, 'public, max-age=600', 'immutable'].map(isCacheable)).toEqual([true, true, true]);
    expect(['no-store', 'private, No-Cache', 'max-age=0', 'public,max-age=0,must-revalidate'].map(isCacheable)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('roles', () => {
  it('share any number of users as their weights say, as closely as whole users can, going up and going down', () => {
    const roles = [{ weight: 10 }, { weight: 10 }, { weight: 1 }];
    const counts = [0, 0, 0];
    const closeness = (): number =>
      Math.max(...counts.map((count, i) => Math.abs(count - ((roles[i]?.weight ?? 0) / 21) * counts.reduce((a, b) => a + b, 0))));
    for (let n = 0; n < 210; n++) {
      const i = fewestOf(roles, counts);
      counts[i] = (counts[i] ?? 0) + 1;
      expect(closeness()).toBeLessThanOrEqual(1);
    }
    expect(counts).toEqual([100, 100, 10]);
    for (let n = 0; n < 210; n++) {
      const i = mostOf(roles, counts);
      counts[i] = (counts[i] ?? 0) - 1;
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
      expect(closeness()).toBeLessThanOrEqual(1);
    }
    expect(counts).toEqual([0, 0, 0]);
  });
});

describe('figures of steps', () => {
  it('are put together from histograms and sums of several blocks, with the commonest problem', () => {
    const block = (latencies: number[], problems: string[]) => {
      const meters = new StepMeters([{ role: 'guest', step: 'look' }]);
      meters.answered(0, 1_000_000);
      meters.beginWindow();
      for (const ms of latencies) meters.answered(0, ms);
      for (const problem of problems) meters.failed(0, problem);
      meters.endWindow();
      meters.answered(0, 1_000_000);
      return meters.samples();
    };
    const [figures] = stepMetrics(block([1, 2, 3], ['A.', 'B.']), block([], []), block([4, 90], ['B.']));
    expect(figures).toMatchObject({ role: 'guest', step: 'look', requests: 5, errors: 3, meanMs: 20, maxMs: 90, problem: 'B.' });
    expect(figures?.p50Ms).toBeCloseTo(3, 2);
    expect(stepMetrics(block([], []))[0]).toMatchObject({ requests: 0, meanMs: null, p99Ms: null, problem: null });
  });

  it('keep few different problems and few first errors, however many there are', () => {
    const meters = new StepMeters([{ role: 'guest', step: 'look' }]);
    meters.beginWindow();
    for (let i = 0; i < 1000; i++) meters.failed(0, `Problem ${i}.`);
    const [samples] = meters.samples();
    expect(Object.keys(samples?.problems ?? {})).toHaveLength(21);
    expect(samples?.problems['Other things went wrong.']).toBe(980);
    expect([...meters.firstErrors]).toEqual(Array.from({ length: 10 }, (_, i) => `Problem ${i}.`));
  });
});
