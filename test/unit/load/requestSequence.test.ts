import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MixRequest } from '../../../src/engine/load/loadProtocol.ts';
import { RequestSequence } from '../../../src/engine/load/requestSequence.ts';
import { SeededRandom, blockSeed } from '../../../src/engine/statistics/seededRandom.ts';

const seeds = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

function numbers(seed: number, count: number): number[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => random.nextUint32());
}

function request(changes: Partial<MixRequest> = {}): MixRequest {
  return { method: 'GET', path: '/', headers: {}, weight: 1, parameters: {}, ...changes };
}

function take(mix: readonly MixRequest[], seed: number, count: number): string[] {
  const sequence = new RequestSequence(mix, seed, '127.0.0.1:8080');
  return Array.from({ length: count }, () => sequence.next());
}

describe('the seeded random numbers', () => {
  it('are the same for the same seed and others for another', () => {
    fc.assert(
      fc.property(seeds, seeds, (a, b) => {
        fc.pre(a !== b);
        expect(numbers(a, 20)).toEqual(numbers(a, 20));
        expect(numbers(a, 20)).not.toEqual(numbers(b, 20));
      }),
    );
  });

  it('stay what they are: runs of one seed can be compared between versions', () => {
    expect(numbers(1, 3)).toEqual([1348811757, 3428229867, 2634278455]);
  });

  it('stay in their range, both ends included', () => {
    const ends = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }));
    fc.assert(
      fc.property(seeds, ends, (seed, [min, span]) => {
        const random = new SeededRandom(seed);
        for (let i = 0; i < 50; i++) {
          const value = random.nextInteger(min, min + span);
          expect(Number.isInteger(value) && value >= min && value <= min + span).toBe(true);
        }
      }),
    );
    const random = new SeededRandom(3);
    expect(new Set(Array.from({ length: 200 }, () => random.nextInteger(1, 3)))).toEqual(new Set([1, 2, 3]));
    const wide = random.nextInteger(0, Number.MAX_SAFE_INTEGER - 1);
    expect(Number.isSafeInteger(wide) && wide > 2 ** 32).toBe(true);
  });

  it('are spread evenly', () => {
    const random = new SeededRandom(11);
    const counts = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) counts[random.nextInteger(0, 99)]! += 1;
    // χ² with 99 degrees of freedom exceeds 149 once in a thousand times.
    expect(counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(149);
  });

  it('differ from round to round', () => {
    const roundSeeds = Array.from({ length: 100 }, (_, round) => blockSeed(1, round));
    expect(new Set(roundSeeds).size).toBe(100);
    expect(blockSeed(1, 2)).toBe(blockSeed(1, 2));
    expect(roundSeeds.every((seed) => Number.isInteger(seed) && seed >= 0)).toBe(true);
  });
});

describe('a request sequence', () => {
  it('has a request for each index that depends on the seed and on no other request', () => {
    const mix = [request({ path: '/a/:id', weight: 3, parameters: { id: { min: 1, max: 100_000 } } }), request({ path: '/b' })];
    const all = take(mix, 7, 200);
    const jumped = new RequestSequence(mix, 7, '127.0.0.1:8080');
    const jumps = Array.from({ length: 100 }, () => {
      jumped.skip();
      return jumped.next();
    });
    expect(jumps).toEqual(all.filter((_text, index) => index % 2 === 1));
    const random = new SeededRandom(7);
    const drawsAt = (index: number): number[] => {
      random.seek(index);
      return [random.nextUint32(), random.nextUint32()];
    };
    const later = drawsAt(150);
    for (const index of [3, 0, 99]) drawsAt(index);
    expect(drawsAt(150)).toEqual(later);
    // The text of a version: another program, k6, draws the same.
    expect([0, 1, 2].map((index) => drawsAt(index)[0])).toEqual([1188728267, 2200159871, 2022175329]);
  });

  it('has the shares of the mix', () => {
    const weights = [60, 20, 10, 5, 5];
    const mix = weights.map((weight, i) => request({ path: `/r${i}`, weight }));
    const paths = take(mix, 5, 20_000).map((text) => text.split(' ')[1]);
    weights.forEach((weight, i) => {
      const share = paths.filter((path) => path === `/r${i}`).length / paths.length;
      // Four standard deviations of a binomial share.
      expect(Math.abs(share - weight / 100)).toBeLessThan(4 * Math.sqrt(((weight / 100) * (1 - weight / 100)) / paths.length));
    });
  });

  it('holds the mix in any few requests in a row, in an order that is drawn', () => {
    const shares = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(shares, seeds, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 20, max: 300 }), (weights, seed, from, count) => {
        const mix = weights.map((weight, i) => request({ path: `/r${i}`, weight }));
        const paths = take(mix, seed, from + count).map((text) => text.split(' ')[1]);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        weights.forEach((weight, i) => {
          const wanted = (weight / total) * count;
          const held = paths.slice(from).filter((path) => path === `/r${i}`).length;
          // A row is off by less than one request at each of its ends and by those of the two rows that are cut.
          expect(Math.abs(held - wanted)).toBeLessThan(10);
        });
      }),
    );
    const two = [request({ path: '/a' }), request({ path: '/b' })];
    const rows = take(two, 3, 1600)
      .map((text) => (text.includes('/a') ? 'a' : 'b'))
      .join('')
      .match(/.{16}/g);
    expect(new Set(rows).size).toBeGreaterThan(90);
    expect(rows?.every((row) => row.split('a').length - 1 === 8)).toBe(true);
  });

  it('has a rare request as evenly as its share allows', () => {
    const mix = [request({ path: '/often', weight: 99 }), request({ path: '/rare' })];
    const at = take(mix, 4, 10_000).flatMap((text, index) => (text.includes('/rare') ? [index] : []));
    expect(at.length).toBeGreaterThan(97);
    expect(at.length).toBeLessThan(103);
    const longest = Math.max(...at.slice(1).map((index, before) => index - (at[before] ?? 0)));
    expect(longest).toBeLessThan(250);
  });

  it('is the same for the same seed, whatever the mix', () => {
    const entry = fc.record({
      path: fc.constantFrom('/a', '/b/:id', '/c?x=:x&y=:y'),
      weight: fc.double({ min: 0.1, max: 100, noNaN: true }),
    });
    const parameters = { id: { min: 1, max: 1e9 }, x: { min: 1, max: 5 }, y: { min: -3, max: 3 } };
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), seeds, (entries, seed) => {
        const mix = entries.map((each) => request({ ...each, parameters }));
        expect(take(mix, seed, 50)).toEqual(take(mix, seed, 50));
      }),
    );
  });

  it('fills in parameters by their whole name and leaves other colons alone', () => {
    const [text] = take(
      [request({ path: '/at/12:30/:id/:idea/:id', parameters: { id: { min: 7, max: 7 }, idea: { min: 8, max: 8 } } })],
      1,
      1,
    );
    expect(text).toBe('GET /at/12:30/7/8/7 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n');
  });

  it('computes the length of a body in bytes, for every value', () => {
    const mix = [
      request({
        method: 'POST',
        body: '{"größe":":size"}',
        headers: { 'Content-Length': '1' },
        parameters: { size: { min: 1, max: 100_000 } },
      }),
    ];
    for (const text of take(mix, 2, 200)) {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head.match(/content-length: (\d+)/gi)).toEqual([`Content-Length: ${Buffer.byteLength(body)}`]);
      expect(head).toContain('Content-Type: application/json');
    }
  });

  it('fills in texts: escaped in a path, and within the strings of a body', () => {
    const values = ['a/b c', 'naïve “x”', '"q"\\'];
    const body = '{"sku":":sku","n"::n}';
    const parameters = { sku: { values }, n: { min: 5, max: 5 } };
    const sent = take([request({ method: 'POST', path: '/items/:sku?n=:n', body, parameters })], 3, 60).map((text) => {
      const [head = '', payload = ''] = text.split('\r\n\r\n');
      expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(payload));
      const { sku, n } = JSON.parse(payload) as { sku: string; n: number };
      expect(n).toBe(5);
      expect(head.startsWith(`POST /items/${encodeURIComponent(sku)}?n=5 HTTP/1.1`)).toBe(true);
      return sku;
    });
    expect(new Set(sent)).toEqual(new Set(values));
  });

  it('sends a POST without a body with length zero', () => {
    expect(take([request({ method: 'POST' })], 1, 1)[0]).toContain('\r\nContent-Length: 0\r\n');
  });

  it('lets a route choose its own Host, Connection and Content-Type', () => {
    const [text] = take(
      [request({ method: 'PUT', body: '[]', headers: { host: 'shop', Connection: 'close', 'content-type': 'text/x' } })],
      1,
      1,
    );
    expect(text).toBe('PUT / HTTP/1.1\r\nhost: shop\r\nConnection: close\r\ncontent-type: text/x\r\nContent-Length: 2\r\n\r\n[]');
  });
});

describe('the requests of one sequence for several ports and clients', () => {
  const mix = [
    request({
      path: '/ads/:id',
      headers: { 'X-Test': 'yes', Connection: 'keep-alive' },
      weight: 2,
      parameters: { id: { min: 1, max: 99_999 } },
    }),
    request({ method: 'POST', path: '/ads', body: '{"title":"größe :n"}', weight: 1, parameters: { n: { min: 1, max: 2000 } } }),
    request({
      method: 'PUT',
      path: '/ads/1',
      headers: { Host: 'example.test', 'Content-Type': 'text/plain', 'Content-Length': '9' },
      body: 'x :x',
      weight: 1,
    }),
  ];

  it('in parts are those that are given as text, without what the client tells itself', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [asText, inParts] = [new RequestSequence(mix, seed, 'h:1', 'h:2'), new RequestSequence(mix, seed, 'h:1', 'h:2')];
        for (let i = 0; i < 10; i++) {
          const to = i % 2;
          const { method, path, headers, body } = inParts.nextParts(to);
          const pairs = Array.from({ length: headers.length / 2 }, (_, at) => `${headers[2 * at]}: ${headers[2 * at + 1]}`);
          const [head = '', text = ''] = asText.next(to).split('\r\n\r\n');
          const [startLine, ...lines] = head.split('\r\n');
          expect(startLine).toBe(`${method} ${path} HTTP/1.1`);
          expect(lines.filter((line) => !/^(Connection|Content-Length): /.test(line))).toEqual(pairs);
          expect(body ?? '').toBe(text);
        }
      }),
    );
  });

  it('differ in their Host header alone, and go on with the next after one was skipped', () => {
    const [one, other] = [new RequestSequence(mix, 5, 'h:1', 'h:2'), new RequestSequence(mix, 5, 'h:1', 'h:2')];
    for (let i = 0; i < 20; i++) expect(other.next(1)).toBe(one.next(0).replace('Host: h:1', 'Host: h:2'));
    one.skip();
    other.next();
    expect(other.next()).toBe(one.next());
  });
});
