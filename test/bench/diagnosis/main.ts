// How often a verdict names the bottleneck that was planted, on the real samples: each planting is measured several times, each time in a fresh process,
// and each verdict is counted in a confusion matrix. Beside it stands what would be worse than not knowing: a confident verdict that is wrong.
// Usage: node scripts/bench.mjs diagnosis [--repeats=5] [--only=gc,cpu] [--target=node] [--name=computing] [--doctor] [--out=file.md] [--details]
//   --resume=file.json   keeps each verdict in this file as it comes, and does not measure again what stands there
//   --minutes=20         begins no further measurement after that time; with --resume, a long measurement is done in pieces
//   --retries=3          how often one that the machine has voided is measured again before it counts as void
//   --list               only prints the tables of what stands in the file
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Trial } from '../../../src/model/run.ts';
import { removeTemporaryFolders } from '../../support/engine.ts';
import { askDoctor } from './doctor.ts';
import { counts, isRight, report } from './matrix.ts';
import { Measured } from './measured.ts';
import { PlantedBench, plantedLoad, verdictLines, voidBecause } from './plantedBench.ts';
import { plantings } from './plantings.ts';
import type { Planting } from './plantings.ts';

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '5' },
    only: { type: 'string' },
    target: { type: 'string' },
    name: { type: 'string' },
    resume: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    retries: { type: 'string', default: '3' },
    doctor: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
});
const kinds = values.only?.split(',');
const chosen = plantings.filter(
  ({ kind, target, name }) =>
    (kinds === undefined || kinds.includes(kind)) &&
    (values.target === undefined || values.target === target) &&
    (values.name === undefined || name.includes(values.name)),
);
if (chosen.length === 0) throw new Error(`Name kinds of: ${[...new Set(plantings.map(({ kind }) => kind))].join(', ')}.`);
const measured = new Measured(values.resume ?? null, plantings);
const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
const isTime = (): boolean => performance.now() < deadlineMs;

if (!values.list) await measureAll();
const doctor = new Map([...measured.doctor].flatMap(([planting, category]) => (category === null ? [] : [[planting, category] as const])));
const text = report(measured.verdicts, doctor.size === 0 ? null : doctor);
console.log(`\n${text}`);
if (values.out !== undefined) writeFileSync(values.out, text);
const { right, all, confidentlyWrongOfHealthy } = counts(measured.verdicts);
process.exitCode = all > 0 && right >= 0.95 * all && confidentlyWrongOfHealthy === 0 ? 0 : 1;

async function measureAll(): Promise<void> {
  const bench = await PlantedBench.start(chosen, { doctor: values.doctor });
  try {
    for (let repeat = 1; repeat <= Number(values.repeats) && isTime(); repeat += 1) {
      for (const planting of chosen) {
        if (!isTime()) break;
        await settle(bench, planting, repeat);
        // Doctor cannot tell what the machine took away: it is asked when the machine has just let a measurement be, or else at the end.
        const quiet = measured.attempts(planting, repeat).at(-1)?.voidBecause === null || repeat === Number(values.repeats);
        if (values.doctor && quiet && isTime() && !measured.doctor.has(planting)) await consult(bench, planting);
      }
    }
  } finally {
    await bench.close();
    removeTemporaryFolders();
  }
}

/** Measures until the machine has let one measurement be, and no more often than was asked for. */
async function settle(bench: PlantedBench, planting: Planting, repeat: number): Promise<void> {
  while (isTime()) {
    const attempts = measured.attempts(planting, repeat);
    if (attempts.length > Number(values.retries) || attempts.some((one) => one.voidBecause === null)) return;
    const startedMs = performance.now();
    let trial: Trial | null = null;
    try {
      trial = await bench.measure(planting);
    } catch (error) {
      console.log(`FAILED ${planting.target} · ${planting.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const tookS = Math.round((performance.now() - startedMs) / 100) / 10;
    const diagnosis = trial?.diagnosis ?? null;
    measured.add({
      ...{ planting, repeat, tookS, kind: diagnosis?.kind ?? null, confident: diagnosis?.confident ?? false },
      ...{ voidBecause: trial === null ? null : voidBecause(trial), aside: diagnosis?.leavingThatAside?.kind ?? null },
      headline: diagnosis?.headline ?? null,
    });
    if (trial !== null) tell(planting, trial, `${repeat}, ${tookS} s`);
  }
}

function tell(planting: Planting, { diagnosis, ...trial }: Trial, which: string): void {
  const reason = voidBecause({ ...trial, diagnosis });
  const right = isRight({ planting, kind: diagnosis?.kind ?? null });
  const word = reason !== null ? 'void ' : right ? 'right' : 'WRONG';
  const sure = diagnosis?.confident === true ? '' : ' (not confident)';
  const aside = diagnosis?.leavingThatAside === undefined ? '' : ` [aside: ${diagnosis.leavingThatAside.kind}]`;
  console.log(
    `${word}  ${planting.target} · ${planting.name} · ${planting.kind} → ${diagnosis?.kind ?? 'none'}${sure}${aside}  [${which}]`,
  );
  if (reason !== null && !values.details) console.log(`       ${reason}`);
  if (diagnosis === null || ((right || reason !== null) && !values.details)) return;
  for (const line of verdictLines(diagnosis)) console.log(`       ${line}`);
}

async function consult(bench: PlantedBench, planting: Planting): Promise<void> {
  try {
    const category = await askDoctor(bench.engineFor(planting), planting, plantedLoad.name);
    measured.addDoctor(planting, category);
    if (category !== null) console.log(`       clinic doctor says: ${category}`);
  } catch (error) {
    console.log(`       clinic doctor: ${error instanceof Error ? error.message : String(error)}`);
  }
}
