import type { FlameGraphOptions } from './flameGraphOptions.ts';
import { one } from './options.ts';
import type { Values } from './options.ts';
import { word } from './values.ts';

const output = one('-o, --output <file>', 'write there instead of to standard output', word);

export const otlpOptions = {
  event: one('--event <name>', 'one of its events, e.g. cpu or wall (default: all)', word),
  trial: one('--trial <key>', 'which trial of the run', word),
  output,
};
export const metricsOptions = { output };

/** What was recorded of a run, in the form of OTLP. */
export function otlpMeans(run: string | undefined, { event, trial, output: file }: Values<typeof otlpOptions>): FlameGraphOptions {
  return {
    source: run ?? 'last',
    event: event ?? null,
    trials: trial === undefined ? [] : [trial],
    process: null,
    diff: null,
    normalise: null,
    output: file ?? null,
    format: 'otlp',
  };
}
