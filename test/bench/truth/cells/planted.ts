import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../../support/engine.ts';
import { isRight } from '../../diagnosis/matrix.ts';
import { Measured as MeasuredVerdicts } from '../../diagnosis/measured.ts';
import { type Planting, plantings } from '../../diagnosis/plantings.ts';
import { call } from '../benchside.ts';
import { type Cell, type Measured, countOf, share } from '../cell.ts';

function nameOf({ target, name, kind }: Planting): string {
  return `${target}, ${kind}: ${name}`;
}

/** The bench of planted bottlenecks, a pass at a time, each verdict counted whatever it says of the machine. */
export const planted: Cell = {
  name: 'planted',
  title: `What limits it: the ${plantings.length} planted cases`,
  goal: '≥ 95 % right in every condition, confidently wrong 0',
  how: 'A pass of `npm run bench diagnosis`. *Withheld* is a verdict of “invalid” where that was not planted, or none at all. Verdicts given while other programs took much of the CPU count like the others.',
  variants: plantings.map(nameOf),
  times: 5,
  outcomes: ['right', 'wrong', 'confidently wrong', 'withheld', 'failed'],
  wishes: [{ what: 'what limits a planted case is named', outcomes: ['right'], share: 0.95 }],
  async measure(variants, { condition, repeat, signal }, tell) {
    const folder = path.join(repositoryDir, '.cache', 'truth');
    mkdirSync(folder, { recursive: true });
    // A pass that was broken off goes on where it was.
    const file = path.join(folder, `planted-${condition}-${repeat}.json`);
    const chosen = plantings.filter((planting) => variants.includes(nameOf(planting)));
    const passes =
      chosen.length > plantings.length / 4
        ? [[]]
        : chosen.map(({ kind, target, name }) => [`--only=${kind}`, `--target=${target}`, `--name=${name}`]);
    let lastWords = '';
    for (const only of passes) {
      const bench = path.join(repositoryDir, 'scripts', 'bench.mjs');
      const called = await call(process.execPath, [bench, 'diagnosis', '--repeats=1', `--resume=${file}`, ...only], signal, passS);
      lastWords = called.lastWords;
    }
    const { verdicts } = new MeasuredVerdicts(file, plantings);
    for (const planting of chosen) {
      const verdict = verdicts.find((one) => one.planting === planting);
      const measured: Measured = {
        outcome: 'failed',
        measuringS: null,
        takenPercent: null,
        cores: null,
        wholeS: verdict?.tookS ?? 0,
        said: lastWords,
      };
      // A bench that could not begin has measured nothing, and must not look as if there were nothing to do.
      if (verdict === undefined) throw new Error(`No verdict for ${nameOf(planting)}: ${lastWords}`);
      const silent = verdict.kind === null || verdict.kind === 'invalid';
      const mistaken = silent ? 'withheld' : verdict.confident ? 'confidently wrong' : 'wrong';
      const outcome = verdict.headline === null ? 'failed' : isRight(verdict) ? 'right' : mistaken;
      tell(nameOf(planting), { ...measured, outcome, value: verdict.kind, said: verdict.headline ?? '' });
    }
  },
  judge: (results) => {
    const n = results.length;
    const [right, sure, withheld] = [
      countOf(results, 'right'),
      countOf(results, 'confidently wrong'),
      countOf(results, 'withheld', 'failed'),
    ];
    return {
      figures: `${n} verdicts: right ${share(right, n)}, confidently wrong ${sure}, withheld ${share(withheld, n)}`,
      reached: n === 0 ? null : right >= 0.95 * n && sure === 0,
    };
  },
};

/** A pass takes about a quarter of an hour on a quiet machine. */
const passS = 2 * 3600;
