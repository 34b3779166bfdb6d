import { describe, expect, it } from 'vitest';
import { matchedPaths, patternPairs } from '../../../src/probe/node/introspect/heapPatterns.ts';

const pathsOf = (...holders: unknown[]): string[] => matchedPaths(holders.flatMap(patternPairs));

describe('an object with a path and a regular expression', () => {
  it('is a route where the expression matches the path with its parameters filled', () => {
    expect(
      pathsOf(
        { id: '/notes/[id]', pattern: /^\/notes\/([^/]+?)\/?$/, params: [] },
        { page: '/shop/[...slug]', regex: String.raw`^/shop/(.+?)(?:/)?$`, match: () => true },
        { route: '/[[lang]]/about', pattern: /^(?:\/([^/]+))?\/about\/?$/g },
        { path: '/ships/:id/{part}', regexp: /^\/ships\/([^/]+)\/(\d+)$/i },
        { route: '/quotes.json', pattern: /^\/quotes\.json\/?$/ },
      ),
    ).toEqual(['/notes/[id]', '/shop/[...slug]', '/[[lang]]/about', '/ships/:id/{part}', '/quotes.json']);
  });

  it('is none where the expression matches another path, or any path, or is not one from the start', () => {
    expect(
      pathsOf(
        { path: '/notes/[id]', pattern: /^\/books\/([^/]+)$/ },
        { path: '/notes', pattern: /^\/.*$/ },
        { path: '/notes', pattern: /notes$/ },
        { path: '/notes', pattern: '^(' },
        { path: '/notes', pattern: `^/notes${'(?:)'.repeat(500)}` },
        { path: `/${'n'.repeat(400)}`, pattern: /^\/n+$/ },
        { path: '/a b', pattern: /^\/a b$/ },
        ['/notes', /^\/notes$/],
        null,
        '/notes',
      ),
    ).toEqual([]);
  });

  it('holds nobody up whose expression never ends', () => {
    const holder = { path: `/${'a'.repeat(60)}`, pattern: /^\/(a+)+b$/ };
    const before = performance.now();
    expect(pathsOf({ path: '/notes', pattern: /^\/notes$/ }, holder)).toEqual(['/notes']);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('is looked at without running anything of it, and without moving its expression on', () => {
    let ran = false;
    const run = (): never => {
      ran = true;
      throw new Error('ran');
    };
    const pattern = Object.assign(/^\/notes$/g, { exec: run, test: run });
    const trap = {
      path: '/notes',
      pattern,
      get regex() {
        return run();
      },
    };
    expect(pathsOf(trap, new Proxy(trap, { ownKeys: run, getOwnPropertyDescriptor: run }))).toEqual(['/notes']);
    expect([ran, pattern.lastIndex]).toEqual([false, 0]);
  });
});
