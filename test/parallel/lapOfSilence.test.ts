import { afterEach, describe, expect, it } from 'vitest';
import { LoadBlock } from '../../src/engine/load/loadBlock.ts';
import { type LoadMeasurement, blockCommandSchema } from '../../src/engine/load/loadProtocol.ts';
import { blockPlan } from '../support/loadBench.ts';
import { type MisbehavingServer, hangingServer, wellBehavedServer } from '../support/misbehavingServers.ts';
import { longTest } from '../support/testTags.ts';

let server: MisbehavingServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A block of one connection, so that no tick falls among answers that come together: 100 ms of settling, a window of 3 s and ticks of 400 ms, and the lap that was asked for before its window opened. */
async function lapOf(port: number): Promise<LoadMeasurement> {
  const plan = blockPlan(port, { connections: 1, settleMs: 100, windowMs: 3000 });
  const command = blockCommandSchema.parse({ ...plan, type: 'block', id: 1, mode: 'measure', tickMs: 400 });
  const block = new LoadBlock(command, { onTick: () => undefined, onWindow: () => undefined });
  const [lap] = await Promise.all([block.lap(), block.run()]);
  return lap;
}

describe('a lap that is asked for while settling', longTest, () => {
  it('is taken at the first tick in which something was answered, not in the silence before', async () => {
    server = await wellBehavedServer({ delayMs: 700 });
    const lap = await lapOf(server.port);
    expect(lap.requests).toBe(1);
    expect(lap.windowMs).toBeGreaterThan(590);
  });

  it('is taken at the third tick of a server that does not answer', async () => {
    const silent = await hangingServer();
    silent.hang();
    server = silent;
    const lap = await lapOf(server.port);
    expect(lap.requests).toBe(0);
    expect(lap.windowMs).toBeGreaterThan(1150);
    expect(lap.windowMs).toBeLessThan(2900);
  });
});
