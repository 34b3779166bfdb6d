import { describe, expect, it } from 'vitest';
import type { FoundService } from '../../../src/model/domain/detection.ts';
import { routeSchema } from '../../../src/model/domain/target.ts';
import { routePlaces } from '../../../src/model/protocol/routePlaces.ts';
import { target } from '../extension/catalogs.ts';

const route = (path: string, more: object = {}) => routeSchema.parse({ path, ...more });

function found(id: string, routes: readonly [path: string, file: string, line: number][]): FoundService {
  return {
    id,
    label: id,
    folder: '.',
    because: 'package.json depends on express',
    driver: 'pg',
    questions: [],
    findings: routes.map(([path, file, line]) => ({
      part: 'route',
      title: `GET ${path}`,
      because: `${file}:${line}`,
      sure: true,
      route: route(path),
      place: { file, line },
    })),
  };
}

const shop = target({
  id: 'shop',
  label: 'Shop',
  origin: 'workspace',
  routes: [route('/v1/orders?state=open'), route('/v1/orders/:order', { budget: { statements: 3 } })],
});

describe('where the routes of a target are handled', () => {
  it('is found by method and path, whatever the query and the names of parameters are, with the budget', () => {
    const places = routePlaces([found('shop', [['/v1/orders/:id', 'src/orders.js', 5]])], [shop]);
    expect(places).toEqual([
      {
        file: 'src/orders.js',
        line: 5,
        targetId: 'shop',
        targetLabel: 'Shop',
        route: 'GET /v1/orders/:order',
        budget: { statements: 3 },
      },
    ]);
    expect(routePlaces([found('shop', [['/v1/orders', 'src/orders.js', 3]])], [shop])[0]?.route).toBe('GET /v1/orders?state=open');
  });

  it('is found in the file of the handler, too, where another file registers it', () => {
    const service = found('shop', [['/v1/orders/:id', 'src/routes.js', 5]]);
    const findings = service.findings.map((one) => ({ ...one, handler: { file: 'src/orders.js', line: 9 } }));
    const places = routePlaces([{ ...service, findings }], [shop]).map(({ file, line, route: name }) => [file, line, name]);
    expect(places).toEqual([
      ['src/routes.js', 5, 'GET /v1/orders/:order'],
      ['src/orders.js', 9, 'GET /v1/orders/:order'],
    ]);
  });

  it('is found by the end of one declared path where a file does not say what its router is mounted at', () => {
    const written: [string, string, number][] = [
      ['/orders/:id', 'src/orders.js', 5],
      ['/:id', 'src/other.js', 2],
      ['/', 'src/other.js', 1],
    ];
    expect(routePlaces([found('shop', written)], [shop]).map(({ line, route }) => [line, route])).toEqual([[5, 'GET /v1/orders/:order']]);
  });

  it('is found with the other routes of its file where those have no word of their own', () => {
    const written: [string, string, number][] = [
      ['/', 'src/orders.js', 4],
      ['/:id', 'src/orders.js', 5],
    ];
    const linesAt = (...more: ReturnType<typeof route>[]) =>
      routePlaces([found('shop', written)], [{ ...shop, routes: [...shop.routes, ...more] }]).map(({ line, route: name }) => [line, name]);
    expect(linesAt()).toEqual([
      [4, 'GET /v1/orders?state=open'],
      [5, 'GET /v1/orders/:order'],
    ]);
    // Mounted at either of two: which of them is unknown.
    expect(linesAt(route('/v1/items'), route('/v1/items/:id'))).toEqual([]);
    // One without the other is not all of the file.
    expect(routePlaces([found('shop', written.slice(1))], [shop])).toEqual([]);
  });

  it('is that of the target of the service’s own id where several have the route, and of no sample', () => {
    const other = target({ ...shop, id: 'other', label: 'Other' });
    const sample = target({ ...shop, id: 'sample', origin: 'sample' });
    const places = (targets: Parameters<typeof routePlaces>[1]) =>
      routePlaces([found('shop', [['/v1/orders', 'src/orders.js', 3]])], targets).map(({ targetId }) => targetId);
    expect(places([other, shop])).toEqual(['shop']);
    expect(places([other])).toEqual(['other']);
    expect(places([sample])).toEqual([]);
  });
});
