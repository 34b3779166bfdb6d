import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tableRoutes, tableWords } from '../../../src/probe/node/introspect/heapTables.ts';

const answer = (): string => 'yes';

describe('a table that a process holds', () => {
  it('is one of routes where all its names are paths, with or without a method', () => {
    expect(tableRoutes({ '/ships': answer, '/ships/:id': [answer] })).toEqual([
      { method: 'GET', path: '/ships', handler: null },
      { method: 'GET', path: '/ships/:id', handler: null },
    ]);
    expect(tableRoutes({ 'GET hi': 'greeter.hi', 'POST /hi': {} })).toEqual([
      { method: 'GET', path: '/hi', handler: null },
      { method: 'POST', path: '/hi', handler: null },
    ]);
    expect(tableRoutes({ '/ships/[id]': ['page'], '/ships': ['page'] }).map(({ path }) => path)).toEqual(['/ships/[id]', '/ships']);
    expect(tableRoutes(new Map([['/a', 'A']]))).toEqual([{ method: 'GET', path: '/a', handler: null }]);
  });

  it('is none where one of its names is no path, or nothing there can answer', () => {
    for (const table of [
      { '/a': answer, name: 'x' },
      { '/a': 3 },
      { 'text/html': answer },
      {},
      new Map([[1, answer]]),
      [answer],
      null,
      '/a',
    ])
      expect(tableRoutes(table)).toEqual([]);
  });

  it('is none where its names are files of this machine', () => {
    expect(tableRoutes({ [fileURLToPath(import.meta.url)]: {} })).toEqual([]);
  });

  it('names words where it has no prototype and holds functions alone', () => {
    const bare = (entries: Record<string, unknown>): object => Object.assign(Object.create(null) as object, entries);
    expect(tableWords({ calls: bare({ greeting: answer, 'users.list': answer }) })).toEqual(['greeting', 'users.list']);
    expect(tableWords({ calls: { greeting: answer } })).toEqual([]);
    expect(tableWords({ calls: bare({ greeting: answer, size: 3 }) })).toEqual([]);
    expect(tableWords({ calls: bare({ '.js': answer }) })).toEqual([]);
  });

  it('is looked at without running anything of it', () => {
    let ran = false;
    const trap = {
      get '/a'() {
        ran = true;
        return answer;
      },
      get calls() {
        ran = true;
        return null;
      },
    };
    expect([tableRoutes(trap), tableWords(trap)]).toEqual([[], []]);
    expect(ran).toBe(false);
  });
});
