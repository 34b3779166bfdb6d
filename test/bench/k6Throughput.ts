import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { K6Generator } from '../../src/engine/k6/k6Generator.ts';
import { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { BlockOptions, BlockPlan } from '../../src/engine/load/loadPlans.ts';
import type { LoadMeasurement } from '../../src/engine/load/loadProtocol.ts';
import { resolveRequestMix } from '../../src/engine/load/requestMix.ts';
import { blockStatistics } from '../../src/engine/statistics/blockStatistics.ts';
import { blockSeed } from '../../src/engine/statistics/seededRandom.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../support/engine.ts';

/*
 * The real k6 compared with our own closed loop: the same requests on the same process of a sample at equal connections, in mirrored pairs of blocks. Told are the ratio
 * of throughputs and that of the app’s CPU time for a request, each with its 95 % interval.
 * Usage: npm run bench k6Throughput [-- --pairs N --seconds S]
 */

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '12' }, seconds: { type: 'string', default: '2' } } });
const pairs = Number(values.pairs);
const windowMs = 1000 * Number(values.seconds);
const pool = 4;
const connections = 8;
const ticksPerS = 100;

type Generator = { runBlock: (plan: BlockPlan, options: BlockOptions) => Promise<LoadMeasurement> };
interface Seen {
  round: number;
  throughput: number;
  cpuUs: number;
  little: number | null;
}

/** CPU time of a process so far, in µs. */
function cpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerS) * 1e6;
}

async function measured(generator: Generator, plan: BlockPlan, pid: number, round: number): Promise<Seen> {
  const edges: number[] = [];
  const result = await generator.runBlock(plan, { onWindow: () => void edges.push(cpuUs(pid)) });
  if (result.errors.total > 0) throw new Error(`${result.errors.total} errors`);
  const [before = 0, after = 0] = edges;
  return { round, throughput: result.throughput, cpuUs: (after - before) / result.requests, little: result.generator.littleRatio };
}

const supervisor = new Supervisor();
const engine = await TestEngine.start({ env: { BENCHSIDE_K6: process.env['BENCHSIDE_K6'] ?? 'k6' } });
const env = childEnvironment();
const own = await LoadGenerator.start(supervisor, {
  nodePath: process.execPath,
  workerPath: path.join(repositoryDir, 'dist', 'loadWorker.cjs'),
  env,
});
const k6 = await K6Generator.find({ supervisor, choice: { kind: 'k6', processes: 1 }, assetsDir: repositoryDir, program: null, env });
const generators: Record<'own' | 'k6', Generator> = {
  own,
  k6: { runBlock: async (plan, options) => (await k6.runBlock(plan, options)).result },
};
try {
  for (const target of ['node', 'java']) {
    const { port } = await engine.request('target/start', { id: target, settings: { pool } });
    const state = (await engine.catalog()).targets.find(({ id }) => id === target);
    const pid = state?.pid ?? 0;
    for (const route of ['/wait?ms=5', undefined]) {
      const { mix } = resolveRequestMix({ targetId: target, routes: state?.routes ?? [], route });
      const plan = (round: number): BlockPlan => ({
        host: '127.0.0.1',
        port,
        connections,
        settleMs: 500,
        windowMs,
        timeoutMs: 5000,
        seed: blockSeed(1, round),
        mix,
      });
      await own.runBlock({ ...plan(0), windowMs: target === 'java' ? 15_000 : 5000 });
      const seen: Record<'own' | 'k6', Seen[]> = { own: [], k6: [] };
      for (let round = 1; round <= pairs; round += 1)
        for (const who of round % 2 === 1 ? (['own', 'k6'] as const) : (['k6', 'own'] as const))
          seen[who].push(await measured(generators[who], plan(round), pid, round));
      const ratioOf = (value: (one: Seen) => number): string => {
        const blocks = (who: 'own' | 'k6') => seen[who].map((one) => ({ round: one.round, throughput: value(one) }));
        const statistics = blockStatistics([
          { key: 'own', blocks: blocks('own') },
          { key: 'k6', blocks: blocks('k6') },
        ]);
        const ratio = statistics.difference('k6', 'own');
        const mean = statistics.intervals.get('own');
        return `${mean?.mean.toFixed(1)} (${mean?.ciLow?.toFixed(1)} – ${mean?.ciHigh?.toFixed(1)}); k6 ÷ own ${ratio?.ratio.toFixed(3)} (${ratio?.ciLow.toFixed(3)} – ${ratio?.ciHigh.toFixed(3)})`;
      };
      const little = seen.k6.reduce((sum, one) => sum + (one.little ?? 0), 0) / seen.k6.length;
      console.log(`${target}, ${route ?? 'its mix'}, pool ${pool}, ${connections} connections, ${pairs} pairs:`);
      console.log(`  requests/s: ${ratioOf(({ throughput }) => throughput)}`);
      console.log(`  CPU of the app, µs a request: ${ratioOf((one) => one.cpuUs)}`);
      console.log(`  X·R/C of k6: ${little.toFixed(3)}`);
    }
    await engine.request('target/stop', { id: target });
  }
} finally {
  await supervisor.stopAll({ close: true });
  await engine.dispose();
  removeTemporaryFolders();
}
