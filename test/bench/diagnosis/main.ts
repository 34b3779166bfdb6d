// How often a verdict names the bottleneck that was planted, on the real samples: each planting is measured several times, each time in a fresh process,
// and each verdict is counted in a confusion matrix. Next to it is what would be worse than not knowing: a confident verdict that is wrong.
// Usage: node scripts/bench.mjs diagnosis [--repeats=5] [--only=gc,cpu] [--target=node] [--name=computing] [--doctor] [--out=file.md] [--details]
//   --resume=file.json   keeps each verdict in this file as it comes, and does not measure again what is there
//   --minutes=20         begins no further measurement after that time; with --resume, a long measurement is done in pieces
//   --condition=bursts   what goes on meanwhile: “as it is” (the default), “busy” (a loop of half a core) or “bursts” (full load for 1 to 5 s at a time)
//   --list               only prints the tables of what is in the file
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { type Diagnosis, explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { actionText } from '../../../src/model/domain/verdict/nextActions.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { removeTemporaryFolders } from '../../support/engine.ts';
import { askDoctor } from './doctor.ts';
import { beginCondition, conditionNamed } from './condition.ts';
import { counts, isRight, report } from './matrix.ts';
import { Measured } from './measured.ts';
import { PlantedBench, plantedLoad, verdictLines } from './plantedBench.ts';
import { type Planting, plantings } from './plantings.ts';

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '5' },
    only: { type: 'string' },
    target: { type: 'string' },
    name: { type: 'string' },
    resume: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    condition: { type: 'string', default: 'as it is' },
    doctor: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    out: { type: 'string' },
    details: { type: 'boolean', default: false },
  },
});
const condition = conditionNamed(values.condition);
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
const { right, all, confidentlyWrong } = counts(measured.verdicts);
process.exitCode = all > 0 && right >= 0.95 * all && confidentlyWrong === 0 ? 0 : 1;

async function measureAll(): Promise<void> {
  const bench = await PlantedBench.start(chosen, { doctor: values.doctor });
  const end = beginCondition(condition);
  try {
    for (let repeat = 1; repeat <= Number(values.repeats) && isTime(); repeat += 1) {
      for (const planting of chosen) {
        if (!isTime()) break;
        if (!measured.has(planting, repeat, condition)) await measureOnce(bench, planting, repeat);
        if (values.doctor && isTime() && !measured.doctor.has(planting)) await consult(bench, planting);
      }
    }
  } finally {
    end();
    await bench.close();
    removeTemporaryFolders();
  }
}

async function measureOnce(bench: PlantedBench, planting: Planting, repeat: number): Promise<void> {
  const startedMs = performance.now();
  let trial: Trial | null = null;
  /** A route that fails is reported before anything is measured: that is the verdict. */
  let refused: string | null = null;
  try {
    trial = await bench.measure(planting);
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'route-fails') refused = error.failure.message;
    else console.log(`FAILED ${planting.target} · ${planting.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const tookS = Math.round((performance.now() - startedMs) / 100) / 10;
  const diagnosis = trial?.diagnosis ?? null;
  measured.add({
    planting,
    repeat,
    condition,
    tookS,
    kind: refused === null ? (diagnosis?.kind ?? null) : 'invalid',
    confident: diagnosis?.confident ?? refused !== null,
    headline: diagnosis === null ? refused : headlineOf(diagnosis),
    ...told(planting, diagnosis),
  });
  if (trial !== null) tell(planting, trial, `${repeat}, ${tookS} s`);
}

/** Whether a second cause is named next to the verdict. */
function told({ says }: Planting, diagnosis: Diagnosis | null): { told?: boolean } {
  if (says === undefined || diagnosis === null) return {};
  return {
    told: [headlineOf(diagnosis), explanationOf(diagnosis), ...diagnosis.actions.map(actionText)].some((text) => text.includes(says)),
  };
}

function tell(planting: Planting, { diagnosis, interference }: Trial, which: string): void {
  const right = isRight({ planting, kind: diagnosis?.kind ?? null, ...told(planting, diagnosis) });
  const sure = diagnosis?.confident === true ? '' : ' (not confident)';
  const took = interference === null ? '' : `, ${Math.round(interference.takenPercent)} % taken`;
  console.log(
    `${right ? 'right' : 'WRONG'}  ${planting.target} · ${planting.name} · ${planting.kind} → ${diagnosis?.kind ?? 'none'}${sure}  [${which}${took}]`,
  );
  if (diagnosis === null || (right && !values.details)) return;
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
