import { type Asked, command } from './command.ts';
import type { FlameGraphAsked } from './flameGraphOptions.ts';
import { one } from './options.ts';
import { word } from './values.ts';

const output = one('-o, --output <file>', 'write there instead of to standard output', word);

export const otlpCommand = command({
  words: 'export otlp [run]',
  description: 'what was recorded of a run (default: the last) as OTLP profiles, for a collector of OpenTelemetry',
  options: {
    event: one('--event <name>', 'one of its events, e.g. cpu or wall (default: all)', word),
    trial: one('--trial <key>', 'which trial of the run', word),
    output,
  },
  means: ({ event, trial, output: file }, run = 'last'): FlameGraphAsked => ({
    source: run,
    event: event ?? null,
    trials: trial === undefined ? [] : [trial],
    process: null,
    diff: null,
    normalise: null,
    output: file ?? null,
    format: 'otlp',
  }),
});

export const prometheusCommand = command({
  words: 'export prometheus [run]',
  description: 'the figures of a run (default: the last) as Prometheus’ text, for its file collector or a push gateway',
  options: { output },
  means: ({ output: file }, run = 'last') => ({ run, output: file ?? null }),
});

export type PrometheusAsked = Asked<typeof prometheusCommand>;
