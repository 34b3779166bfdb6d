import path from 'node:path';
import { repositoryDir } from '../../../support/engine.ts';
import { benchside, call, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, countOf, median, oneByOne } from '../cell.ts';

const limitS = 30;

/** What a new user does first. */
export const start: Cell = {
  name: 'start',
  title: '`npm start`',
  goal: '2 of 2 answers, five times out of five, within 30 s of measuring',
  how: 'The command itself. An answer is a recommendation that names a value; seconds of measuring are those from the first block’s begin to the last one’s end.',
  variants: ['both samples'],
  times: 5,
  outcomes: ['2 of 2', '1 of 2', '0 of 2', 'failed'],
  measure: oneByOne(async (_variant, { signal }) => {
    const before = runsOf(repositoryDir);
    const called = await call(process.execPath, [path.join(repositoryDir, 'scripts', 'start.mjs')], signal);
    const run = newRun(repositoryDir, before);
    const noted = { ...circumstances(run), wholeS: called.wholeS };
    if (run === null) return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    // It was stored where the user's own runs are.
    await benchside(['delete', run.id], repositoryDir, signal);
    const answered = run.recommendations.filter(({ value, status }) => value !== null && status !== 'undecided').length;
    return {
      ...noted,
      outcome: `${answered} of 2`,
      said: run.recommendations.map(({ target, headline }) => `${target}: ${headline}`).join(' · '),
    };
  }),
  judge: (results) => {
    const n = results.length;
    const all = countOf(results, '2 of 2');
    const late = results.filter(({ measuringS }) => (measuringS ?? 0) > limitS).length;
    return {
      figures: `2 of 2 answers ${all} times of ${n}; measuring ${median(results.map((one) => one.measuringS))?.toFixed(0) ?? '–'} s (median), longer than ${limitS} s ${late} times`,
      reached: n === 0 ? null : all === n && late === 0,
    };
  },
};
