import { describe, expect, it } from 'vitest';
import { type MixChoice, resolveRequestMix } from '../../../src/engine/load/requestMix.ts';
import { type Failure, toFailure } from '../../../src/model/domain/failure.ts';
import { type Route, routeSchema } from '../../../src/model/domain/target.ts';

const routes: Route[] = [
  { path: '/ads/:id', weight: 60, parameters: { id: { max: 100_000 } } },
  { path: '/hello', weight: 0 },
  { path: '/ads', method: 'POST', weight: 20, body: '{}' },
  { path: '/ads', method: 'DELETE', weight: 0 },
].map((route) => routeSchema.parse(route));

function resolve(choice: Partial<MixChoice> = {}): string[] {
  return resolveRequestMix({ targetId: 'node', routes, ...choice }).phrases;
}

function failureOf(choice: Partial<MixChoice>): Failure {
  try {
    resolve(choice);
  } catch (error) {
    return toFailure(error);
  }
  throw new Error('nothing failed');
}

describe('the request mix', () => {
  it('is the target’s own weights when nothing else is asked for; weight 0 is left out', () => {
    expect(resolve()).toEqual(['GET /ads/:id 75 %', 'POST /ads 25 %']);
  });

  it('is the first route when no route has a weight', () => {
    expect(resolve({ routes: routes.map((route) => ({ ...route, weight: 0 })) })).toEqual(['GET /ads/:id']);
  });

  it('is the load profile’s when it has one', () => {
    const profileMix = [
      { route: 'GET /hello', weight: 1 },
      { route: '/ads/:id', weight: 999 },
    ];
    expect(resolve({ profileMix })).toEqual(['GET /hello 0.1 %', 'GET /ads/:id 100 %']);
  });

  it('is one route when that is asked for, even against the profile', () => {
    expect(resolve({ route: '/ads/:id', profileMix: [{ route: '/hello', weight: 1 }] })).toEqual(['GET /ads/:id']);
    expect(resolve({ route: 'GET /ads/:id' })).toEqual(['GET /ads/:id']);
    expect(resolve({ route: ' post  /ads ' })).toEqual(['POST /ads']);
    expect(resolve({ route: 'DELETE /ads' })).toEqual(['DELETE /ads']);
  });

  it('takes the first method declared for a path that has no GET', () => {
    expect(resolve({ route: '/ads' })).toEqual(['POST /ads']);
  });

  it('fetches a concrete path that is not declared as it stands', () => {
    const { mix } = resolveRequestMix({ targetId: 'node', routes, route: '/ads/17?full=1' });
    expect(mix).toEqual([{ method: 'GET', path: '/ads/17?full=1', headers: {}, weight: 1, parameters: {} }]);
    expect(resolve({ route: 'GET /at/12:30' })).toEqual(['GET /at/12:30']);
  });

  it('keeps headers, body and parameters of declared routes', () => {
    const route = routeSchema.parse({
      method: 'POST',
      path: '/x/:n',
      headers: { 'x-a': 'b' },
      body: 'n=:n',
      parameters: { n: { min: 2, max: 3 } },
    });
    expect(resolveRequestMix({ targetId: 'node', routes: [route] }).mix).toEqual([
      { method: 'POST', path: '/x/:n', headers: { 'x-a': 'b' }, body: 'n=:n', weight: 1, parameters: { n: { min: 2, max: 3 } } },
    ]);
  });

  it('percent-encodes what a path cannot carry, so that it never breaks the request', () => {
    expect(resolveRequestMix({ targetId: 'node', routes, route: '/find?q=grün und\r\nblau' }).mix[0]?.path).toBe(
      '/find?q=gr%C3%BCn%20und%0D%0Ablau',
    );
    expect(resolveRequestMix({ targetId: 'node', routes, route: '/already%20encoded' }).mix[0]?.path).toBe('/already%20encoded');
    expect(resolveRequestMix({ targetId: 'node', routes, route: '/half/\ud800' }).mix[0]?.path).toBe('/half/%EF%BF%BD');
  });

  it.each(['/ads/:nr', 'PUT /hello', 'hello', 'POST /nowhere', '/nowhere/:id'])('refuses %s and lists the routes there are', (route) => {
    const problem = failureOf({ route });
    expect(problem.code).toBe('unknown-route');
    expect(problem.message).toBe(`node has no route ${JSON.stringify(route)}.`);
    expect(problem.cure).toBe(
      'Name one of GET /ads/:id, GET /hello, POST /ads, DELETE /ads, or a path without parameters, such as /health.',
    );
  });

  it('refuses a profile that names a route the target does not have', () => {
    const problem = failureOf({ profileMix: [{ route: 'GET /wait?ms=5', weight: 1 }] });
    expect(problem.code).toBe('unknown-route');
    expect(problem.cure).toContain('Choose another load profile');
  });

  it('refuses a route with a parameter that it does not declare', () => {
    const problem = failureOf({ routes: [routeSchema.parse({ path: '/list?category=:category' })] });
    expect(problem.code).toBe('bad-route');
    expect(problem.message).toContain(':category');
  });

  it('refuses a header that would break out of its line', () => {
    const problem = failureOf({ routes: [routeSchema.parse({ path: '/', headers: { 'x-a': 'b\r\nx-evil: c' } })] });
    expect(problem).toMatchObject({ code: 'bad-route' });
    expect(problem.message).toContain('headers.x-a');
  });
});
