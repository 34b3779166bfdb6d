import { describe, expect, it } from 'vitest';
import { decodeLatencyHistogram } from '../../src/engine/load/latencyHistogram.ts';
import type { MixRequest } from '../../src/engine/load/loadProtocol.ts';
import type { ErrorCounts } from '../../src/model/domain/run.ts';
import { blockPlan, latencyOf, LoadBench } from '../support/loadBench.ts';
import * as servers from '../support/misbehavingServers.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const open = { ratePerS: 200, maxInFlight: 1000 };

const bench = LoadBench.forThisFile();

/** The kinds of errors that there were. */
function kindsOf({ total, ...byKind }: ErrorCounts): string[] {
  const counted = Object.entries(byKind).filter(([, count]) => count > 0);
  expect(total).toBe(counted.reduce((sum, [, count]) => sum + count, 0));
  return counted.map(([kind]) => kind).sort();
}

describe('an open loop on a server that behaves', () => {
  it('sends what it intended, on few connections that it keeps and then closes', async () => {
    const server = await bench.open(servers.wellBehavedServer({ delayMs: 2 }));
    // Long enough that a moment in which the machine pauses at its end is a small part of it.
    const result = await bench.generator.runBlock(blockPlan(server.port, { open, windowMs: 2000 }));
    const { intended, sent, dropped } = result.open ?? { intended: 0, sent: 0, dropped: NaN };
    expect(Math.abs(intended - (open.ratePerS * result.windowMs) / 1000)).toBeLessThanOrEqual(1);
    expect([sent, dropped]).toEqual([intended, 0]);
    // Every one of them was answered, if not in the window then right after it.
    expect(decodeLatencyHistogram(result.histogram).totalCount).toBe(intended);
    expect(result.latencySums.count).toBe(intended);
    expect(result.throughput).toBeGreaterThan(open.ratePerS * 0.9);
    expect(result.bytes).toBe(result.requests * 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'.length);
    expect(kindsOf(result.errors)).toEqual([]);
    expect(result.latencyReasons).toEqual([]);
    expect(result.generator.littleRatio).toBeNull();
    expect(server.connections).toBeLessThan(server.requests / 2);
    await waitFor(() => server.openConnections === 0, { what: 'the end of all connections' });
  });

  it('sends the requests that a closed loop sends, in the same order', async () => {
    const mix: MixRequest[] = [
      { method: 'GET', path: '/ads/:id', headers: { 'x-test': 'yes' }, weight: 3, parameters: { id: { min: 1, max: 100_000 } } },
      {
        method: 'POST',
        path: '/ads',
        headers: {},
        body: '{"title":"größe :price"}',
        weight: 1,
        parameters: { price: { min: 1, max: 999 } },
      },
      { method: 'PUT', path: '/ads/1', headers: { Connection: 'keep-alive' }, weight: 1, parameters: {} },
    ];
    const seen = async (changes: object): Promise<{ requests: string[]; intended: number }> => {
      const server = await bench.open(servers.recordingServer());
      const result = await bench.generator.runBlock(blockPlan(server.port, { mix, seed: 7, settleMs: 0, windowMs: 600, ...changes }));
      expect(kindsOf(result.errors)).toEqual([]);
      expect(server.seen.every(({ headers }) => headers.host === `127.0.0.1:${server.port}`)).toBe(true);
      const requests = server.seen.map(({ method, url, headers, body }) =>
        [method, url, headers['x-test'], headers['content-type'], headers['content-length'], body].join(' '),
      );
      return { requests, intended: result.open?.intended ?? NaN };
    };
    const closed = await seen({ connections: 1 });
    // One under way at a time, or they overtake each other on the way; those due meanwhile, on a machine that pauses, are left out.
    const inOpenLoop = await seen({ open: { ratePerS: 100, maxInFlight: 1 } });
    expect(inOpenLoop.requests.length).toBeGreaterThanOrEqual(30);
    // The first goes out as the load begins, right before the window opens.
    const asked = closed.requests.slice(0, 1 + inOpenLoop.intended);
    let at = -1;
    for (const request of inOpenLoop.requests) {
      at = asked.indexOf(request, at + 1);
      expect(at, `${request} in its turn`).toBeGreaterThanOrEqual(0);
    }
  });

  it('times a server that closes after every answer right, and says so', async () => {
    const result = await bench.generator.runBlock(blockPlan((await bench.open(servers.closingServer(10))).port, { open }));
    expect(kindsOf(result.errors)).toEqual([]);
    expect(result.closedByServer).toBe(result.requests);
    // autocannon takes this for 501 ms.
    expect(latencyOf(result).min).toBeGreaterThan(9);
    expect(latencyOf(result).min).toBeLessThan(30);
  });
});

describe('requests without an answer in an open loop', () => {
  it(
    'count with the time they have waited when the server stops answering, and the latency says that it is a lower bound',
    longTest,
    async () => {
      const server = await bench.open(servers.hangingServer());
      const result = await bench.generator.runBlock(blockPlan(server.port, { windowMs: 500, open }), {
        onWindow: (edge) => void (edge === 'open' && server.hang()),
      });
      const intended = result.open?.intended ?? 0;
      expect(decodeLatencyHistogram(result.histogram).totalCount).toBe(intended);
      // They were waited for for a second after the window.
      expect(latencyOf(result).p50).toBeGreaterThan(1100);
      expect(latencyOf(result).max).toBeLessThan(2000);
      expect(kindsOf(result.errors)).toEqual(['unanswered']);
      expect(result.inFlightAtEnd).toBeGreaterThan(intended - 10);
      expect(result.latencyReasons).toContainEqual(expect.objectContaining({ code: 'answers-outstanding' }));
    },
  );

  it('are timed out from the time at which they were to be sent', async () => {
    const server = await bench.open(servers.hangingServer());
    server.hang();
    const result = await bench.generator.runBlock(blockPlan(server.port, { timeoutMs: 150, windowMs: 500, open }));
    expect(kindsOf(result.errors)).toEqual(['timeout']);
    expect(result.errors.timeout).toBeGreaterThanOrEqual(result.open?.sent ?? NaN);
    expect(result.latencyReasons).not.toEqual([]);
    expect(result.latencySums.count).toBe(0);
  });

  it(
    'hold back no more than is allowed: what would exceed it is dropped, counted and a reason not to trust the load',
    longTest,
    async () => {
      const server = await bench.open(servers.hangingServer());
      const result = await bench.generator.runBlock(blockPlan(server.port, { open: { ratePerS: 200, maxInFlight: 10 } }), {
        // Where the machine paused, all ten may be under way as the window opens: one more is sent in it before the server hangs.
        onWindow: (edge) => void (edge === 'open' && server.hang(11)),
      });
      const { intended, sent, dropped } = result.open ?? { intended: NaN, sent: NaN, dropped: NaN };
      expect(sent + dropped).toBe(intended);
      expect(sent).toBeGreaterThanOrEqual(1);
      expect(sent).toBeLessThan(40);
      expect(result.inFlightAtEnd).toBe(10);
    },
  );
});

describe('errors in an open loop', () => {
  it.each([
    ['reset', () => servers.droppingServer({ oneIn: 10 })],
    ['reset', () => servers.droppingServer({ oneIn: 10, how: 'reset' })],
    ['reset', () => servers.halfAnswerServer()],
    ['reset', () => servers.slammingServer()],
    ['status5xx', () => servers.statusServer(503)],
    ['status4xx', () => servers.statusServer(404)],
    ['other', () => servers.garbageServer()],
  ])('are counted by kind: %s (%#)', async (kind, start) => {
    const server = await bench.open(start());
    let beforeWindow = 0;
    const result = await bench.generator.runBlock(blockPlan(server.port, { settleMs: 0, windowMs: 300, open }), {
      onWindow: (edge) => void (edge === 'open' && (beforeWindow = server.requests)),
    });
    expect(kindsOf(result.errors)).toEqual([kind]);
    // Each is one request, and no request is tried twice, which would be twice as many; the first ones were sent before the window, or on their way when it opened, of which a busy machine
    // has a few.
    const sent = result.open?.sent ?? NaN;
    const onTheirWay = 5;
    expect(sent).toBeGreaterThan(50);
    expect(result.errors.total + result.requests).toBeLessThanOrEqual(sent + beforeWindow + onTheirWay);
    expect(server.requests).toBeLessThanOrEqual(sent + beforeWindow + onTheirWay);
    expect(result.latencyReasons).toEqual([]);
  });

  it('are counted as refused when nobody listens, one for each request', async () => {
    const result = await bench.generator.runBlock(blockPlan(await servers.closedPort(), { settleMs: 0, windowMs: 300, open }));
    expect(kindsOf(result.errors)).toEqual(['refused']);
    // But for those that were on their way when the window opened or closed.
    expect(Math.abs(result.errors.refused - (result.open?.sent ?? 0))).toBeLessThanOrEqual(5);
  });

  it('leave out early hints, which are none', async () => {
    const result = await bench.generator.runBlock(
      blockPlan((await bench.open(servers.earlyHintsServer(10))).port, { windowMs: 300, open }),
    );
    expect(kindsOf(result.errors)).toEqual([]);
    expect(latencyOf(result).min).toBeGreaterThan(9);
  });
});
