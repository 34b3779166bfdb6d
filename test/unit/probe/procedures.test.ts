import { describe, expect, it } from 'vitest';
import { procedureRoutes, proceduresOf } from '../../../src/probe/node/introspect/procedures.ts';

const of11 = (type: string): object => Object.assign(() => undefined, { _def: { type, procedure: true } });
const of10 = (kind: string): object => Object.assign(() => undefined, { _def: { [kind]: true } });
const router = (procedures: Record<string, object>): object => ({ ...procedures, _def: { router: true, procedures } });

const pathsOf = (...objects: unknown[]): string[] =>
  procedureRoutes(objects.flatMap(proceduresOf))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((one) => !one.includes('/trpc'));

describe('the procedures of a router of tRPC', () => {
  it.each([
    ['11', of11],
    ['10', of10],
  ])('are routes by their names, at each place where one is mounted: version %s', (_version, made) => {
    const object = router({ list: made('query'), add: made('mutation'), watch: made('subscription') });
    expect(pathsOf(object)).toEqual(['GET /list', 'POST /add']);
    expect(procedureRoutes(proceduresOf(object)).map(({ path }) => path)).toContain('/api/trpc/list');
  });

  it('have the names of the outermost router', () => {
    const [list, add] = [of11('query'), of11('mutation')];
    const inner = router({ list, add });
    expect(pathsOf(inner, router({ 'people.list': list, 'people.add': add, other: of11('query') }))).toEqual([
      'GET /people.list',
      'POST /people.add',
      'GET /other',
    ]);
  });

  it('are not read of what is no router, nor by its getters', () => {
    const getter = Object.defineProperty({}, '_def', {
      get: () => {
        throw new Error('was called');
      },
    });
    expect(pathsOf(getter, {}, null, { _def: { procedures: { list: of11('query') } } }, new Proxy(router({}), {}))).toEqual([]);
  });
});
