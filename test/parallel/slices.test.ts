import { describe, expect, it } from 'vitest';
import type { SliceOptions, SlicePlan, SlicesResult } from '../../src/engine/load/loadPlans.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { service } from '../support/computingService.ts';
import { LoadBench } from '../support/loadBench.ts';
import * as servers from '../support/misbehavingServers.ts';
import { quietPort } from '../support/quietPort.ts';
import { mirrored, sliceConnections as connections, slicePlan } from '../support/slicePlan.ts';
import { waitFor } from '../support/waitFor.ts';

const bench = LoadBench.forThisFile();

const slices = (ports: readonly number[], changes: Partial<SlicePlan> = {}, options: SliceOptions = {}): Promise<SlicesResult> =>
  bench.generator.runSlices(slicePlan(ports, changes), options);

describe('load that turns from side to side in slices', () => {
  it('asks one side at a time in the order of the plan, on connections that stay open', async () => {
    const [a, b] = [
      await bench.open(servers.wellBehavedServer({ delayMs: 5 })),
      await bench.open(servers.wellBehavedServer({ delayMs: 5 })),
    ];
    const began: number[] = [];
    const seen: [number, number][] = [];
    const result = await slices(
      [a.port, b.port],
      {},
      {
        onSlice: (side) => {
          began.push(side);
          seen.push([a.requests, b.requests]);
        },
      },
    );
    expect(began).toEqual(mirrored);
    expect(result.slices.map(({ side }) => side)).toEqual(mirrored);
    // While the one is asked, nothing is sent to the other.
    for (const [index, side] of mirrored.slice(0, -1).entries()) {
      const other = 1 - side;
      expect(seen[index + 1]?.[other]).toBe(seen[index]?.[other]);
    }
    expect([a.connections, b.connections]).toEqual([connections, connections]);
    for (const side of result.sides) expect(side.errors.total).toBe(0);
  });

  it('tells by the CPU time of a request which of two services does half as much again', async () => {
    const ports = [await quietPort(), await quietPort()];
    const works = [600_000, 900_000];
    const children = await Promise.all(
      ports.map((port, index) =>
        bench.supervisor.start({
          name: `service ${index}`,
          kind: 'app',
          argv: [process.execPath, '-e', service(works[index] ?? 0)],
          cwd: process.cwd(),
          env: childEnvironment({ PORT: String(port) }),
        }),
      ),
    );
    for (const port of ports)
      await waitFor(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      );
    const order = Array.from({ length: 8 }, () => [0, 1, 1, 0]).flat();
    const asked = slicePlan(ports, { order });
    await bench.generator.runSlices(asked);
    const { slices: all } = await bench.generator.runSlices({
      ...asked,
      sides: asked.sides.map((side, index) => ({ ...side, sliceMs: 50, appPids: [children[index]?.pid ?? 0] })),
    });
    const perRequestUs = (side: number): number => {
      const own = all.filter((one) => one.side === side).map(({ appUs, answered }) => (appUs ?? Number.NaN) / answered);
      return own.sort((x, y) => x - y)[own.length >> 1] ?? Number.NaN;
    };
    const ratio = perRequestUs(1) / perRequestUs(0);
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(1.6);
    // One thread serves, and it is the one that is busiest.
    for (const { appUs, busiestUs } of all) expect(busiestUs).toBeLessThanOrEqual(appUs ?? 0);
    for (const child of children) await child.stop();
  });

  it('says all of a round of many slices', async () => {
    const server = await bench.open(servers.wellBehavedServer());
    const order = Array.from({ length: 400 }, (_, index) => index % 2);
    const result = await bench.generator.runSlices(slicePlan([server.port, server.port], { order }, { sliceMs: 2, edgeMs: 0 }));
    expect(result.slices.map(({ side }) => side)).toEqual(order);
    // More than a line of a process that is given out at once.
    expect(JSON.stringify(result.slices).length).toBeGreaterThan(100_000);
  });

  it('goes on without what a side never answers, and says so of that side alone', async () => {
    const [good, hanging] = [await bench.open(servers.wellBehavedServer({ delayMs: 2 })), await bench.open(servers.hangingServer())];
    const { sides } = await slices(
      [good.port, hanging.port],
      { order: [0, 1, 0, 1], timeoutMs: 800 },
      {
        onSlice: (side) => {
          if (side === 1) hanging.hang(1);
        },
      },
    );
    expect(sides[0]?.errors.total).toBe(0);
    expect((sides[1]?.errors.unanswered ?? 0) + (sides[1]?.errors.timeout ?? 0)).toBeGreaterThan(0);
  });

  it('opens a connection anew that a server closed while another side was asked', async () => {
    const [a, b] = [await bench.open(servers.wellBehavedServer()), await bench.open(servers.closingServer(2))];
    const { sides } = await slices([a.port, b.port]);
    expect(sides.map(({ errors }) => errors.total)).toEqual([0, 0]);
    expect(sides[1]?.requests).toBeGreaterThan(10);
  });

  it('waits before each slice until the app is turned to its side, where sides share an app', async () => {
    const server = await bench.open(servers.wellBehavedServer({ delayMs: 2 }));
    const turned: number[] = [];
    const shared = slicePlan([server.port], { order: [0, 1, 1, 0], turned: true });
    const [side] = shared.sides;
    if (side === undefined) throw new Error('there is a side');
    let before = -1;
    const { sides } = await bench.generator.runSlices(
      { ...shared, sides: [side, { ...side }] },
      {
        onSlice: async (one) => {
          const at = server.requests;
          await new Promise((resolve) => setTimeout(resolve, 30));
          // Nothing is under way, and nothing is sent before it is turned.
          expect(server.requests).toBe(at);
          expect(at).toBeGreaterThan(before);
          before = at;
          turned.push(one);
        },
      },
    );
    expect(turned).toEqual([0, 1, 1, 0]);
    expect(server.connections).toBe(connections);
    expect(sides.every(({ requests }) => requests > 0)).toBe(true);
  });

  it('ends with what turning fails with, and can be asked again', async () => {
    const server = await bench.open(servers.wellBehavedServer());
    const failing = slices(
      [server.port],
      { order: [0, 0], turned: true },
      { onSlice: () => Promise.reject(new Error('It did not take it.')) },
    );
    await expect(failing).rejects.toThrow('It did not take it.');
    await waitFor(() => server.openConnections === 0);
    const { sides } = await slices([server.port], { order: [0] });
    expect(sides[0]?.requests).toBeGreaterThan(0);
  });

  it('ends at once when it is cancelled', async () => {
    const server = await bench.open(servers.wellBehavedServer());
    const controller = new AbortController();
    const began = performance.now();
    const cancelled = slices(
      [server.port],
      { order: Array.from({ length: 1000 }, () => 0) },
      {
        signal: controller.signal,
        onSlice: () => controller.abort(new Error('Enough.')),
      },
    );
    await expect(cancelled).rejects.toThrow('Enough.');
    expect(performance.now() - began).toBeLessThan(2000);
    await waitFor(() => server.openConnections === 0);
  });
});
