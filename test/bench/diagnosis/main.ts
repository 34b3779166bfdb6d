// How often a verdict names the bottleneck that was planted, on the real samples: each planting is measured several times, each time in a fresh process,
// and each verdict is counted in a confusion matrix. Beside it stands what would be worse than not knowing: a confident verdict that is wrong.
// Usage: node scripts/bench.mjs diagnosis [--repeats=5] [--only=gc,cpu] [--target=node] [--seconds=3] [--out=file.md] [--details]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Trial } from '../../../src/model/run.ts';
import { removeTemporaryFolders, TestEngine } from '../../support/engine.ts';
import { confusionMatrix, counts, isRight, summary } from './matrix.ts';
import type { Verdict } from './matrix.ts';
import { plantings } from './plantings.ts';
import type { Planting } from './plantings.ts';
import { startSlowStore } from './slowStore.ts';
import { plantedTargets, targetId } from './targets.ts';

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '5' },
    only: { type: 'string' },
    target: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    out: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
});
const kinds = values.only?.split(',');
const chosen = plantings.filter(
  ({ kind, target }) => (kinds === undefined || kinds.includes(kind)) && (values.target === undefined || values.target === target),
);
if (chosen.length === 0) throw new Error(`Name kinds of: ${[...new Set(plantings.map(({ kind }) => kind))].join(', ')}.`);

const load = {
  name: 'planted',
  connections: 16,
  durationS: Number(values.seconds),
  settleS: 1,
  rounds: 2,
  warmUp: { minS: 3, maxS: 8, jvmMinS: 6, jvmMaxS: 14 },
};

function request(planting: Planting): Parameters<TestEngine['run']>[0] {
  return {
    targets: [targetId(planting.target, planting.storeDelayMs ?? 0)],
    settings: Object.fromEntries(Object.entries(planting.settings ?? {}).map(([name, value]) => [name, [value]])),
    load: load.name,
    route: planting.route,
    connections: [planting.connections],
  };
}

function tell(planting: Planting, trial: Trial, repeat: number): void {
  const { diagnosis } = trial;
  const right = isRight({ planting, kind: diagnosis?.kind ?? null, confident: false });
  console.log(
    `${right ? 'right' : 'WRONG'}  ${planting.target} · ${planting.name} · ${planting.kind} → ${diagnosis?.kind ?? 'none'}${diagnosis?.confident === true ? '' : ' (not confident)'}  [${repeat}]`,
  );
  if (diagnosis === null || (right && !values.details)) return;
  console.log(`       ${diagnosis.headline}`);
  for (const { what, value, threshold, met } of diagnosis.evidence)
    console.log(`       ${met ? '+' : '−'} ${what}: ${value} (${threshold ?? '–'})`);
  for (const { kind, because } of diagnosis.ruledOut) console.log(`       not ${kind}: ${because}`);
}

const delays = [...new Set(chosen.flatMap(({ storeDelayMs }) => storeDelayMs ?? []))];
const stores = await Promise.all(delays.map(async (delayMs) => [delayMs, await startSlowStore(delayMs)] as const));
const verdicts: Verdict[] = [];
let engine: TestEngine | null = null;
try {
  const urls = new Map(stores.map(([delayMs, store]) => [delayMs, store.url]));
  engine = await TestEngine.start({
    file: { targets: plantedTargets(urls, [...new Set(chosen.map(({ route }) => route))]), loadProfiles: [load] },
  });
  for (let repeat = 1; repeat <= Number(values.repeats); repeat += 1) {
    for (const planting of chosen) {
      try {
        const [trial] = (await engine.run(request(planting))).trials;
        if (trial === undefined) throw new Error('the run has no trial');
        tell(planting, trial, repeat);
        verdicts.push({ planting, kind: trial.diagnosis?.kind ?? null, confident: trial.diagnosis?.confident ?? false });
      } catch (error) {
        console.log(`FAILED ${planting.target} · ${planting.name}: ${error instanceof Error ? error.message : String(error)}`);
        verdicts.push({ planting, kind: null, confident: false });
      }
    }
  }
} finally {
  await engine?.dispose();
  await Promise.all(stores.map(([, store]) => store.close()));
  removeTemporaryFolders();
}
const text = `${confusionMatrix(verdicts)}\n\n${summary(verdicts)}\n`;
console.log(`\n${text}`);
if (values.out !== undefined) writeFileSync(values.out, text);
const { right, all, confidentlyWrongOfHealthy } = counts(verdicts);
process.exitCode = right >= 0.95 * all && confidentlyWrongOfHealthy === 0 ? 0 : 1;
