import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonDocument } from '../../../src/engine/calltree/jsonDocument.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { readCpuProfile, readCpuProfileDocument } from '../../../src/engine/calltree/readCpuProfile.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { hostileNames } from './trees.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Any JSON value, to be where nobody asks for anything. */
const anything = fc.jsonValue({ maxDepth: 3 });
const text = fc.oneof(
  fc.constantFrom(...hostileNames, '(root)', '(idle)', 'a}b{"', '\\', 'file:///srv/a%20b.js'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const number = fc.oneof(fc.nat(2000), fc.constantFrom(0, -0, 1.5, -3, 1e3, 123456789012345, 1e15));

/** Profiles as V8 writes them, with additional fields and fields left out; a few of them broken. */
const profiles = fc
  .record({
    parents: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
    frames: fc.array(
      fc.record(
        { functionName: text, url: text, lineNumber: fc.oneof(fc.nat(50), fc.constant(-1)), scriptId: text, extra: anything },
        { requiredKeys: ['functionName', 'url'] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    hits: fc.array(number, { minLength: 12, maxLength: 12 }),
    ticks: fc.array(
      fc.array(fc.record({ line: fc.nat(9), ticks: fc.nat(9), more: anything }, { requiredKeys: ['line', 'ticks'] }), { maxLength: 3 }),
      { minLength: 12, maxLength: 12 },
    ),
    picks: fc.array(fc.tuple(fc.nat(), number), { maxLength: 10 }),
    idStep: fc.constantFrom(1, 7, 100_000),
    byParent: fc.boolean(),
    other: fc.dictionary(text, anything, { maxKeys: 3 }),
    broken: fc.constantFrom(null, null, null, null, null, null, 'id', 'callFrame', 'children', 'timeDeltas'),
  })
  .map(({ parents, frames, hits, ticks, picks, idStep, byParent, other, broken }) => {
    const id = (index: number): number => 1 + index * idStep;
    const children = parents.map((): number[] => []);
    for (let index = 1; index < parents.length; index += 1) children[(parents[index] ?? 0) % index]?.push(id(index));
    const nodes = parents.map((above, index) => ({
      id: id(index),
      callFrame: frames[index % frames.length],
      hitCount: Math.abs(hits[index] ?? 0),
      positionTicks: ticks[index],
      ...(byParent ? (index === 0 ? {} : { parent: id(above % index) }) : { children: children[index] }),
    }));
    const profile: Record<string, unknown> = {
      ...other,
      nodes,
      ...(picks.length === 0
        ? {}
        : { samples: picks.map(([pick]) => id(pick % parents.length)), timeDeltas: picks.map(([, delta]) => delta) }),
    };
    if (broken === 'timeDeltas') delete profile['timeDeltas'];
    else if (broken !== null) Object.assign(nodes.at(-1) ?? {}, { [broken]: 'broken' });
    return profile;
  });

/** The same document written in another way: fields in another order, blanks, escapes. */
function rewritten(value: unknown, next: (below: number) => number): string {
  const blank = (): string => ['', '', '', ' ', '\n\t', '\r\n  '][next(6)] ?? '';
  const written = (part: unknown): string => {
    if (Array.isArray(part)) return `[${blank()}${part.map((one) => `${blank()}${written(one)}${blank()}`).join(',')}]`;
    if (typeof part === 'object' && part !== null) {
      const entries = Object.entries(part).filter(([, one]) => one !== undefined);
      const turned = entries.map((_, index) => entries[(index + next(entries.length)) % entries.length]).filter((one) => one !== undefined);
      const kept = [...new Map([...turned, ...entries].map((entry) => [entry[0], entry])).values()];
      return `{${blank()}${kept.map(([key, one]) => `${blank()}${JSON.stringify(key)}${blank()}:${blank()}${written(one)}${blank()}`).join(',')}}`;
    }
    if (typeof part === 'string' && next(4) === 0)
      return `"${Array.from({ length: part.length }, (_, at) => `\\u${part.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
    if (typeof part === 'number' && Number.isSafeInteger(part) && next(6) === 0) return `${Object.is(part, -0) ? '-0' : part}.0e+0`;
    return JSON.stringify(part);
  };
  return `${blank()}${written(value)}${blank()}`;
}

type Outcome = { tree: CallTree } | { failure: string };
function outcome(read: () => CallTree): Outcome {
  try {
    return { tree: read() };
  } catch (error) {
    if (error instanceof FailureError) return { failure: error.failure.message };
    throw error;
  }
}
const byParsing = (bytes: Uint8Array): Outcome => outcome(() => readCpuProfileDocument(parseJsonDocument(bytes, '.cpuprofile')));

describe('a CPU profile read from its bytes', () => {
  it('is what parsing it as JSON gives, in whatever way it is written', () => {
    let scanned = 0;
    fc.assert(
      fc.property(profiles, fc.infiniteStream(fc.nat(1000)), (profile, numbers) => {
        const bytes = encode(rewritten(profile, (below) => (numbers.next().value ?? 0) % Math.max(1, below)));
        expect(outcome(() => readProfile(bytes))).toEqual(byParsing(bytes));
        if (typeof readCpuProfile(bytes) === 'object') scanned += 1;
      }),
      { numRuns: 300 },
    );
    // Else this would compare the other reader with itself.
    expect(scanned).toBeGreaterThan(100);
  });

  it('with any bytes changed is refused and accepted as by parsing it', () => {
    fc.assert(
      fc.property(
        profiles,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat(), { freq: 3 }),
        (profile, changes, end) => {
          const file = encode(JSON.stringify(profile));
          const bytes = end === null ? file : file.subarray(0, end % file.length);
          for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
          const scanned = readOrFail(bytes);
          const parsed = byParsing(bytes);
          if (typeof scanned === 'object') expect(scanned).toEqual(parsed);
          else if (scanned === 'invalid')
            expect(parsed).toHaveProperty('failure', expect.stringContaining('its JSON is cut short or not valid'));
        },
      ),
      { numRuns: 800 },
    );
  });

  it.each([
    ['a field twice', '{"nodes":[{"id":1,"id":2,"callFrame":{"functionName":"a","url":""}}]}'],
    ['an id that is text', '{"nodes":[{"id":"1","callFrame":{"functionName":"a"}}],"samples":["1"],"timeDeltas":[3]}'],
    ['a field whose name has escapes', '{"nod\\u0065s":[{"id":1,"callFrame":{}}]}'],
    ['a frame with an object in it', '{"nodes":[{"id":1,"callFrame":{"functionName":"a","x":{"y":"}"},"url":"f"}}]}'],
    ['a mark of the byte order', '\ufeff{"nodes":[{"id":1,"callFrame":{"functionName":"a"}}]}'],
    ['a number no double can hold', '{"nodes":[{"id":1,"callFrame":{},"hitCount":1e999}]}'],
    ['leading zeros', '{"nodes":[{"id":01,"callFrame":{}}]}'],
    ['a comma too many', '{"nodes":[{"id":1,"callFrame":{},}]}'],
    ['something after its end', '{"nodes":[{"id":1,"callFrame":{}}]}x'],
    ['no nodes', '{"nodes":[]}'],
    ['a circle', '{"nodes":[{"id":1,"callFrame":{},"children":[2]},{"id":2,"callFrame":{},"children":[1]}]}'],
    ['two callers of one node', '{"nodes":[{"id":1,"callFrame":{},"children":[2,2]},{"id":2,"callFrame":{}}]}'],
    ['samples of nodes that are not there', '{"nodes":[{"id":1,"callFrame":{}}],"samples":[4],"timeDeltas":[1]}'],
  ])('with %s is told as before', (_name, document) => {
    const bytes = encode(document);
    expect(outcome(() => readProfile(bytes))).toEqual(byParsing(bytes));
  });
});

function readOrFail(bytes: Uint8Array): Outcome | 'invalid' | 'unusual' {
  try {
    const read = readCpuProfile(bytes);
    return typeof read === 'string' ? read : { tree: read };
  } catch (error) {
    if (error instanceof FailureError) return { failure: error.failure.message };
    throw error;
  }
}
