import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { acceptedForAttach } from '../../../../src/extension/debugging/debugged.ts';
import { endOfTargets } from '../../../../src/extension/kit/placesInFile.ts';
import type { FoundService } from '../../../../src/model/domain/detection.ts';
import { workspaceFileSchema } from '../../../../src/model/domain/target.ts';
import { targetText, workspaceText } from '../../../../src/model/domain/workspaceText.ts';

const process = {
  pid: 11,
  runtime: 'node',
  command: '/usr/bin/node /ws/src/server.js',
  title: 'shop · server.js',
  version: null,
  targetId: null,
  problem: null,
} as const;
const debugged = { process, port: 4312 };
const known = { because: 'src/orders.js:5', sure: true };
const shop: FoundService = {
  id: 'shop',
  label: 'shop',
  folder: '.',
  because: 'package.json depends on express',
  driver: 'pg',
  findings: [
    { part: 'command', title: 'node', ...known, runtime: 'node', command: ['node', 'src/server.js'], requires: [], requiresCure: null },
    { part: 'port', title: 'PORT', ...known, port: { env: 'PORT' } },
    { part: 'setting', title: 'pool', ...known, name: 'pool', spec: { default: 10, min: 1, max: 64, env: 'PG_MAX' } } as never,
    { part: 'route', title: 'GET /orders', ...known, route: { method: 'GET', path: '/orders', weight: 1, parameters: {}, headers: {} } },
  ],
  questions: [{ part: 'postgres', text: 'Which database?' }],
};
const targetsOf = (text: string) => workspaceFileSchema.parse(parse(text)).targets;

describe('what is debugged, as a target', () => {
  it('is declared by its port with the routes of the service that the folder has, and nothing of how that is started', () => {
    const text = workspaceText([acceptedForAttach(debugged, [shop])]);
    const [target] = targetsOf(text);
    expect(target).toMatchObject({
      id: 'shop',
      runtime: 'node',
      running: { port: 4312 },
      command: [],
      settings: {},
      ready: { path: '/orders' },
    });
    expect(target?.routes.map(({ path }) => path)).toEqual(['/orders']);
    expect(text).toContain('// what was debugged: /usr/bin/node /ws/src/server.js');
    expect(text).not.toContain('Which database?');
  });

  it('asks for the routes where no file says them', () => {
    const text = workspaceText([acceptedForAttach(debugged, [])]);
    expect(targetsOf(text)).toMatchObject([{ id: 'shop', running: { port: 4312 }, routes: [{ path: '/' }] }]);
    expect(text).toMatch(/To be looked at: .*name those that you want to measure/);
  });

  it('is written behind the last target of a file that is there, of which nothing else changes', () => {
    const added = targetText(acceptedForAttach(debugged, [])) ?? '';
    for (const before of [
      '{ "targets": [] } // mine',
      '{\n  // all\n  "targets": [\n    { "id": "a", "command": ["x"], "routes": [{ "path": "/" }] } // last\n  ]\n}',
    ]) {
      const place = endOfTargets(before);
      if (place === null) throw new Error('there is no place');
      const after = `${before.slice(0, place.at)}${place.empty ? '' : ','}\n${added}${before.slice(place.at)}`;
      expect(targetsOf(after).map(({ id }) => id)).toEqual([...targetsOf(before).map(({ id }) => id), 'shop']);
      expect(after.replace(added, '')).toContain(before.slice(place.at));
    }
    expect(endOfTargets('{ "loadProfiles": [] }')).toBeNull();
  });
});
