import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, countOf, median, oneByOne, share } from '../cell.ts';
import { isEnough, ladderSizes, stepsOff } from '../ladderLaw.ts';
import { goMissing } from '../workspace.ts';

interface Ladder {
  target: string;
  mode: 'live' | 'process-per-setting';
  knee: number;
}

const apps: readonly Pick<Ladder, 'target' | 'mode'>[] = [
  { target: 'node', mode: 'live' },
  { target: 'node', mode: 'process-per-setting' },
  { target: 'java', mode: 'live' },
  { target: 'java', mode: 'process-per-setting' },
  // Nothing looks into it, so that nothing can be changed live.
  { target: 'go', mode: 'process-per-setting' },
];

const ladders: Readonly<Record<string, Ladder>> = Object.fromEntries(
  apps.flatMap(({ target, mode }) => [8, 16, 24].map((knee) => [`${target}, ${mode}, knee at ${knee}`, { target, mode, knee }])),
);

/** Tunings whose answer is known by a law. */
export const ladderCell: Cell = {
  name: 'ladders',
  title: 'Oracle ladders: pools of 2 to 64 on `/wait?ms=20`, knees at 8, 16 and 24',
  goal: 'right within one step ≥ 95 %, wrong ≤ 2 %, withheld ≤ 5 %, median ≤ 30 s',
  how:
    '`benchside tune` with as many connections as the knee, on a route that holds a connection for 20 ms: throughput is min(pool, connections) ÷ hold time, so that the smallest pool that is enough is known. ' +
    '*Right* is that rung, or a value between two that is enough; *one step* is next to it; *withheld* names no value. The median is that of the whole command, starting and warming up included; that of measuring is next to it. ' +
    'The Go app is one that nothing looks into.',
  variants: Object.keys(ladders),
  times: 10,
  outcomes: ['right', 'one step', 'wrong', 'withheld', 'failed'],
  wishes: [
    { what: 'the knee of a ladder is found within one step', outcomes: ['right', 'one step'], share: 0.95 },
    { what: 'the answer of a ladder is not wrong', outcomes: ['right', 'one step', 'withheld', 'failed'], share: 0.98 },
  ],
  missing: (variant) => (ladders[variant]?.target === 'go' ? goMissing() : null),
  measure: oneByOne(async (variant, { workspace, signal, extra }) => {
    const ladder = ladders[variant];
    if (ladder === undefined) throw new Error(`there is no ladder ${variant}`);
    const before = runsOf(workspace);
    const set = [
      '--set',
      `pool=${ladderSizes.join(',')}`,
      '--route',
      '/wait?ms=20',
      '--connections',
      String(ladder.knee),
      '--mode',
      ladder.mode,
    ];
    const called = await benchside(['tune', '--target', ladder.target, ...set, ...extra], workspace, signal);
    const run = newRun(workspace, before);
    const answer = run?.result.kind === 'tune' ? run.result.answers[0] : undefined;
    const noted = { ...circumstances(run), wholeS: called.wholeS };
    if (answer === undefined)
      return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    const value = answer.values?.['pool'] ?? null;
    if (typeof value !== 'number') return { ...noted, outcome: 'withheld', value: null, said: answer.headline };
    const steps = stepsOff(value, ladder.knee);
    return { ...noted, outcome: steps === 0 ? 'right' : steps === 1 ? 'one step' : 'wrong', value, said: answer.headline };
  }),
  judge: (results) => {
    const n = results.length;
    const near = countOf(results, 'right', 'one step');
    const wrong = countOf(results, 'wrong');
    const withheld = countOf(results, 'withheld', 'failed');
    const wholeS = median(results.map((one) => one.wholeS));
    const small = results.filter(({ value, variant }) => typeof value === 'number' && !isEnough(value, ladders[variant]?.knee ?? 0)).length;
    const measuringS = median(results.map((one) => one.measuringS));
    return {
      figures: `${n} tunings: within one step ${share(near, n)}, wrong ${share(wrong, n)}, withheld ${share(withheld, n)}, truly too small ${share(small, n)}; median ${wholeS?.toFixed(0) ?? '–'} s, of which measuring ${measuringS?.toFixed(0) ?? '–'} s`,
      reached: n === 0 || wholeS === null ? null : near >= 0.95 * n && wrong <= 0.02 * n && withheld <= 0.05 * n && wholeS <= 30,
    };
  },
};
