// How long until the best of some pool sizes is known as closely as by a tuning? Against what a script does: for each size start the app again, warm it
// up, load it for 30 s with autocannon, stop it; and again from the beginning until the interval is as narrow. The two take turns.
// Options: --target node|java, --pools 2,8,32, --trial S (30), --rounds N (most rounds of the script, 3): what it would need beyond is computed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { blockStatistics } from '../../src/engine/statistics/blockStatistics.ts';
import { studentTQuantile } from '../../src/engine/statistics/studentT.ts';
import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../support/engine.ts';
import { resultOf } from '../support/resultOf.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'node' },
    pools: { type: 'string', default: '2,8,32' },
    trial: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '3' },
    budget: { type: 'string', default: '90' },
  },
});
const { target } = values;
const pools = values.pools.split(',').map(Number);
const [trialS, mostRounds] = [Number(values.trial), Number(values.rounds)];
const route = '/wait?ms=5';
const connections = 32;
const warmUpS = target === 'java' ? 10 : 5;

interface Outcome {
  seconds: number;
  /** Half the width of the interval of the ratio of the two best, on the logarithm. */
  halfWidth: number | null;
  answer: string;
}

const engine = await TestEngine.start({});

async function tuned(): Promise<Outcome> {
  const started = performance.now();
  const { runId } = await engine.measure({
    kind: 'tune',
    targets: [target],
    settings: { pool: pools },
    load: 'steady',
    route,
    connections,
    budgetS: Number(values.budget),
  });
  const seconds = (performance.now() - started) / 1000;
  const { run } = await engine.request('runs/get', { id: runId });
  const answer = resultOf(run, 'tune').answers[0];
  const widths = (answer?.settings ?? []).flatMap(({ ratioToBest }) =>
    ratioToBest?.ciLow != null && ratioToBest.ciHigh !== null ? [Math.log(ratioToBest.ciHigh / ratioToBest.ciLow) / 2] : [],
  );
  return {
    seconds,
    halfWidth: widths.length === 0 ? null : Math.min(...widths),
    answer: `${answer === undefined ? 'nothing' : answerHeadline(answer)} (${answer?.status ?? ''}, ${answer?.mode ?? ''})`,
  };
}

interface ScriptTrial {
  pool: number;
  round: number;
  throughput: number;
}

async function trial(pool: number, round: number): Promise<ScriptTrial> {
  const { port } = await engine.request('target/start', { id: target, settings: { pool } });
  const load = (seconds: number): number => {
    const program = path.join(repositoryDir, 'node_modules/autocannon/autocannon.js');
    const { stdout } = spawnSync(
      process.execPath,
      [program, '-c', String(connections), '-d', String(seconds), '--json', '--no-progress', `http://127.0.0.1:${port}${route}`],
      { encoding: 'utf8' },
    );
    return (JSON.parse(stdout) as { requests: { average: number } }).requests.average;
  };
  load(warmUpS);
  const throughput = load(trialS);
  await engine.request('target/stop', { id: target });
  return { pool, round, throughput };
}

async function scripted(wanted: number | null): Promise<Outcome> {
  const trials: ScriptTrial[] = [];
  const started = performance.now();
  let halfWidth: number | null = null;
  let rounds = 0;
  while (rounds < mostRounds && (halfWidth === null || wanted === null || halfWidth > wanted)) {
    rounds += 1;
    for (const pool of pools) trials.push(await trial(pool, rounds));
    const statistics = blockStatistics(pools.map((pool) => ({ key: String(pool), blocks: trials.filter((one) => one.pool === pool) })));
    const [best, second] = [...pools].sort((a, b) => statistics.meanOf(String(b)) - statistics.meanOf(String(a)));
    const gap = statistics.difference(String(best), String(second));
    halfWidth = gap === null ? null : Math.log(gap.ciHigh / gap.ciLow) / 2;
  }
  let seconds = (performance.now() - started) / 1000;
  let answer = `${rounds} rounds`;
  if (halfWidth !== null && wanted !== null && halfWidth > wanted) {
    // The spread of one trial stays; t shrinks and the root of the number of rounds grows.
    const spread = halfWidth / (studentTQuantile(0.975, (pools.length - 1) * (rounds - 1)) * Math.sqrt(2 / rounds));
    let needed = rounds;
    while (needed < 1000 && studentTQuantile(0.975, (pools.length - 1) * (needed - 1)) * spread * Math.sqrt(2 / needed) > wanted)
      needed += 1;
    seconds *= needed / rounds;
    answer = `${rounds} rounds were measured, ${needed} would be needed`;
  }
  return { seconds, halfWidth, answer };
}

const shown = ({ seconds, halfWidth, answer }: Outcome): string =>
  `${seconds.toFixed(0)} s, ±${halfWidth === null ? '?' : (100 * Math.expm1(halfWidth)).toFixed(1)} %: ${answer}`;
try {
  const first = await tuned();
  console.log(`tuning:  ${shown(first)}`);
  const script = await scripted(first.halfWidth);
  console.log(`script:  ${shown(script)}`);
  const second = await tuned();
  console.log(`tuning:  ${shown(second)}`);
  const ours = (first.seconds + second.seconds) / 2;
  console.log(`script / tuning: ${(script.seconds / ours).toFixed(1)}`);
} finally {
  await engine.dispose();
  removeTemporaryFolders();
}
