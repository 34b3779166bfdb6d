import type { AskedOf } from '../model/protocol/measureRequest.ts';
import { defined } from '../model/domain/defined.ts';
import { askedOptions } from '../model/presentation/runOptionText.ts';
import { p99Kinds, usualMetrics, versionMetricIds } from '../model/domain/versionDiff.ts';
import { command } from './command.ts';
import { gateOf, gateOptions } from './gate.ts';
import { type Values, flag, many, one } from './options.ts';
import { plainRunOptions } from './runOptions.ts';
import { choice, choices, listed, objective, whole, word, wrong } from './values.ts';

const versionOptions = {
  target: one('-t, --target <id>', 'the target, where the folder declares several', word),
  load: one('--load <profile>', 'load profile (default: steady)', word),
  route: one('--route <route>', 'one route instead of the mix, e.g. /ads/:id or "POST /ads"', word),
  connections: one('--connections <n>', 'connections of the closed loop', whole(1, 10_000)),
  budgetS: plainRunOptions.budgetS,
  delta: plainRunOptions.delta,
  seed: plainRunOptions.seed,
};

/** What `diff` and `bisect` ask for, but for the versions. */
function versionsRequest({ target, load, route, connections, ...values }: Values<typeof versionOptions>): AskedOf<'diff'> {
  return { ...defined({ target, load, route, connections }), ...askedOptions(values) };
}

export const diffCommand = command({
  words: 'diff [base] [head]',
  description:
    'two versions of the code in one run, as git names them: nothing is the working tree against HEAD, “main...” the merge base against HEAD',
  options: {
    ...versionOptions,
    judgeBy: one(
      '--judge-by <figures>',
      `the figures that the verdict is made of (default: ${usualMetrics.join(',')}), of ${listed(versionMetricIds)}`,
      choices(versionMetricIds),
    ),
    p99: one(
      '--p99 <of>',
      'p99 at a fixed rate that both can answer: of the mix (default), of each of its routes as well, or none',
      choice(p99Kinds),
    ),
    slo: one('--slo <objective>', 'what must hold, e.g. "p99 <= 50 ms": head is worse where it misses what base keeps', objective),
    figuresOnly: flag('--figures-only', 'do not record both versions, which says which function it is'),
    markdown: one('--markdown <file>', 'write it for a pull request, too', word),
    ...gateOptions,
  },
  measures: true,
  means: ({ figuresOnly, judgeBy, p99, slo, markdown, failOn, undecided, junit, ...values }, base?: string, head?: string) => {
    const [, from, dots, to] = /^(.*?)(\.{2,3})(.*)$/.exec(base ?? '') ?? [];
    if (dots !== undefined && head !== undefined) throw wrong(`“${base ?? ''}” names both versions already.`);
    const named = (text: string | undefined): string => (text === undefined || text === '' ? 'HEAD' : text);
    const request: AskedOf<'diff'> = {
      base: named(dots === undefined ? base : from),
      head: dots === undefined ? (head ?? null) : named(to),
      mergeBase: dots === '...',
      ...defined({ why: figuresOnly ? false : undefined, judgeBy, p99, slo }),
      ...versionsRequest(values),
    };
    return { request, markdown: markdown ?? null, gate: gateOf({ failOn, undecided, junit }) };
  },
});

export const bisectCommand = command({
  words: 'bisect <good> <bad>',
  description: 'which commit made it slower: each step compares two versions as “diff” does; the same command goes on where it was ended',
  options: {
    ...versionOptions,
    log: one('--log <file>', 'what was found so far, to go on from (default: .benchside/bisect.ndjson)', word),
  },
  measures: true,
  means: ({ log, ...values }, good: string, bad: string) => ({
    request: versionsRequest(values),
    good,
    bad,
    log: log ?? null,
  }),
});

export const compareCommand = command({
  words: 'compare <base> <other>',
  description: 'two runs side by side (“last”, “previous” and, as the base, “baseline” are understood), or two settings',
  options: { trial: many('--trial <key>', 'which trial; given twice, the second is that of the other run', word), ...gateOptions },
  means: ({ trial, ...gate }, a: string, b: string) => {
    if (trial.length > 2) throw wrong('--trial is given too often: once, and once more for the other run.');
    return { a, b, trials: trial, gate: gateOf(gate) };
  },
});
