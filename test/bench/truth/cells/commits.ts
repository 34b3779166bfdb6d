import * as z from 'zod';
import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, type CellContext, type Measured, countOf, oneByOne, share } from '../cell.ts';
import { plantedRepository } from '../commits/repository.ts';
import { type PlantedService, expressService, jettyService } from '../commits/services.ts';
import type { Result } from '../store.ts';
import { answerSchema } from './versions.ts';

/** What is small may take twice as long, as the goal has it; and who asks whether 2 % changed has a tolerance below it. */
const asksFor: readonly { change: RegExp; asks: readonly string[] }[] = [
  { change: /^2 % /, asks: ['--budget', '240', '--delta', '1'] },
  { change: /^5 % /, asks: ['--budget', '240'] },
];

/** Commits of a service, compared by `benchside diff`. */
function commitsCell(name: string, title: string, service: PlantedService): Cell {
  const plantingOf = (variant: string) => service.plantings.find((planting) => planting.name === variant);
  const measure = async (variant: string, { signal, extra }: CellContext): Promise<Measured> => {
    const planting = plantingOf(variant);
    if (planting === undefined) throw new Error(`there is no commit ${variant}`);
    const files = planting.on?.(service.files) ?? service.files;
    const repository = plantedRepository([
      { message: 'The service', files },
      { message: 'The change', files: planting.change(files) },
    ]);
    try {
      const before = runsOf(repository.dir);
      // p99 at a fixed rate is no part of the verdict, and takes longer than everything else around the rounds.
      const asked = [
        'diff',
        'HEAD~1',
        'HEAD',
        '--connections',
        '16',
        '--p99',
        'none',
        ...(asksFor.find(({ change }) => change.test(variant))?.asks ?? []),
        ...extra,
      ];
      const called = await benchside(asked, repository.dir, signal);
      const noted = { ...circumstances(newRun(repository.dir, before)), wholeS: called.wholeS };
      if (called.status !== 0)
        return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
      const { diff } = answerSchema.parse(JSON.parse(called.stdout));
      const told = planting.expected === 'either' ? ['same', 'worse'] : [planting.expected];
      const right = told.includes(diff.verdict) && repository.untouched();
      const named = diff.verdict !== 'worse' || planting.culprit === undefined || planting.culprit.test(diff.reasons[0] ?? '');
      const ratio = diff.metrics.find((metric) => metric.name === 'throughput')?.ratio ?? undefined;
      return {
        ...noted,
        outcome: right ? (named ? 'right' : 'cause not named') : diff.verdict === 'unknown' ? 'no word' : 'wrong',
        ...(ratio === undefined ? {} : { ratio }),
        said: [diff.headline, ...diff.reasons].join(' '),
      };
    } finally {
      repository.remove();
    }
  };
  return {
    name,
    title,
    goal: 'no change called different ≤ 5 %, and “the same” after ≤ 30 s of windows ≥ 90 %; 5 % slower found in ≤ 30 s of windows ≥ 90 %, 2 % in ≤ 60 s ≥ 80 %; the culprit named first ≥ 90 %',
    how: '`benchside diff HEAD~1 HEAD --p99 none` in a repository made for it; the percentages are of a loop that is nine tenths of what a request takes. *Right* is “the same” for what changes nothing and “worse” for the others, with the function or statement named in the first reason, and a repository that is as it was; 2 % is asked for with `--delta 1`, and may be called either.',
    variants: service.plantings.map((planting) => planting.name),
    times: 3,
    outcomes: ['right', 'cause not named', 'no word', 'wrong', 'failed'],
    missing: () => service.missing(),
    measure: oneByOne(measure),
    judge: (results) => {
      const expecting = (expected: string): Result[] => results.filter(({ variant }) => plantingOf(variant)?.expected === expected);
      const [same, changed] = [expecting('same'), expecting('worse')];
      const of = (percent: number): Result[] => results.filter(({ variant }) => variant.startsWith(`${percent} % `));
      const isFound = ({ outcome, ratio }: Result): boolean =>
        outcome === 'cause not named' || (outcome === 'right' && (ratio?.ciHigh == null || ratio.ciHigh < 1));
      const within = (some: readonly Result[], limitS: number): Result[] =>
        some.filter(({ windowsS, measuringS }) => (windowsS ?? measuringS ?? Number.POSITIVE_INFINITY) <= limitS);
      const timely = [
        { what: 'called the same', of: same, good: within(same, 30).filter(({ outcome }) => outcome === 'right'), least: 0.9 },
        { what: '5 % found', of: of(5), good: within(of(5), 30).filter(isFound), least: 0.9 },
        { what: '2 % found', of: of(2), good: within(of(2), 60).filter(isFound), least: 0.8 },
      ];
      const different = countOf(same, 'wrong');
      const found = changed.filter(isFound);
      const named = countOf(found, 'right');
      return {
        figures: [
          `${same.length} without a change: different ${share(different, same.length)}`,
          ...timely.map((one) => `${one.what} in time ${share(one.good.length, one.of.length)} of ${one.of.length}`),
          `${changed.length} with one: found ${share(found.length, changed.length)}, of these the culprit first ${share(named, found.length)}`,
        ].join('; '),
        reached: timely.some((one) => one.of.length === 0)
          ? null
          : different <= 0.05 * same.length &&
            timely.every((one) => one.good.length >= one.least * one.of.length) &&
            named >= 0.9 * found.length,
      };
    },
  };
}

export const expressCommits = commitsCell('expressCommits', 'Commits of an Express service: no change, or a planted one', expressService);
export const jettyCommits = commitsCell('jettyCommits', 'Commits of a Jetty service: no change, or a planted one', jettyService);

/** Commits that are searched. */
const bisected = 16;

/** A search among 16 commits, one of which computes a fifth more. */
export const bisections: Cell = {
  name: 'bisections',
  title: 'Which of 16 commits made an Express service a fifth slower',
  goal: 'the right commit ≥ 9 of 10',
  how: `\`benchside bisect\` over ${bisected} commits that change a comment, one of which computes a fifth more. *Right* is that one alone.`,
  variants: ['the third', 'the ninth', 'the last'],
  times: 3,
  outcomes: ['right', 'one of several', 'wrong', 'failed'],
  missing: () => expressService.missing(),
  measure: oneByOne(async (variant, { signal, extra }): Promise<Measured> => {
    const culprit = { 'the third': 2, 'the ninth': 8, 'the last': bisected - 1 }[variant] ?? 0;
    const slower = expressService.plantings.find(({ name }) => name.startsWith('20 %'));
    let files = slower?.on?.(expressService.files) ?? expressService.files;
    const commits = [{ message: 'The service', files }];
    for (let index = 0; index < bisected; index += 1) {
      if (index === culprit && slower !== undefined) files = slower.change(files);
      files = { ...files, 'server.js': `// Change ${index}\n${files['server.js'] ?? ''}` };
      commits.push({ message: `Change ${index}`, files });
    }
    const repository = plantedRepository(commits);
    try {
      const called = await benchside(['bisect', `HEAD~${bisected}`, 'HEAD', '--connections', '16', ...extra], repository.dir, signal);
      const noted = { measuringS: null, takenPercent: null, cores: null, wholeS: called.wholeS };
      if (called.status !== 0 && called.status !== 4)
        return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
      const { bisect } = z.object({ bisect: z.object({ culprits: z.array(z.string()) }) }).parse(JSON.parse(called.stdout));
      const wanted = repository.git('rev-parse', `HEAD~${bisected - 1 - culprit}`).trim();
      const has = bisect.culprits.includes(wanted) && repository.untouched();
      return {
        ...noted,
        outcome: has ? (bisect.culprits.length === 1 ? 'right' : 'one of several') : 'wrong',
        said: `${bisect.culprits.length} named`,
      };
    } finally {
      repository.remove();
    }
  }),
  judge: (results) => {
    const right = countOf(results, 'right');
    return {
      figures: `${results.length} searches: right ${share(right, results.length)}, one of several ${share(countOf(results, 'one of several'), results.length)}`,
      reached: results.length === 0 ? null : right >= 0.9 * results.length,
    };
  },
};
