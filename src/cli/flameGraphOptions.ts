import { diffNormalisers } from '../calltree/diffTrees.ts';
import type { DiffNormaliser } from '../calltree/diffTrees.ts';
import { many, one } from './options.ts';
import type { Values } from './options.ts';
import { choice, listed, word, wrong } from './values.ts';

/** What a recording can be written as. */
const flameGraphFormats = ['svg', 'collapsed', 'pprof', 'speedscope', 'json', 'html'] as const;
type FlameGraphFormat = (typeof flameGraphFormats)[number];

/** What a comparison of two recordings can be written as. */
const diffFormats: readonly FlameGraphFormat[] = ['svg', 'collapsed', 'json'];

/** What draws a flame graph: a file, or a recording of ours by its own id or that of its run. */
export interface FlameGraphOptions {
  source: string;
  event: string | null;
  /** Of the run, and of the run that it is compared with. */
  trials: readonly string[];
  diff: string | null;
  normalise: DiffNormaliser | null;
  output: string | null;
  format: FlameGraphFormat;
}

export const flameGraphOptions = {
  event: one('--event <name>', 'which of its events, e.g. cpu or wall (default: the first that was counted)', word),
  trial: many('--trial <key>', 'which trial of the run; given twice, the second is that of --diff', word),
  diff: one('--diff <recording>', `compare with this one; ${listed(diffFormats)}`, word),
  normalise: one(
    '--normalise <how>',
    `${listed(diffNormalisers)} (default: per request where the requests are known, else share)`,
    choice(diffNormalisers),
  ),
  format: one('--format <format>', `${listed(flameGraphFormats)} (default: by the ending of -o, else svg)`, choice(flameGraphFormats)),
  output: one('-o, --output <file>', 'write there instead of to standard output', word),
};

export function flameGraph(source: string, values: Values<typeof flameGraphOptions>, json: boolean): FlameGraphOptions {
  const { event, trial, diff, normalise, output } = values;
  const format = flameGraphFormat(values.format, output, json);
  if (diff === undefined && normalise !== undefined) throw wrong('--normalise is for --diff only.');
  if (diff !== undefined && !diffFormats.includes(format))
    throw wrong(`--diff can be written as ${listed(diffFormats)}, not as ${format}.`);
  if (trial.length > (diff === undefined ? 1 : 2)) throw wrong('--trial is given too often: once, and once more for --diff.');
  return { source, event: event ?? null, trials: trial, diff: diff ?? null, normalise: normalise ?? null, output: output ?? null, format };
}

/** The format that is named, or the one the file's ending means; `--json` is short for `--format json`. */
function flameGraphFormat(format: FlameGraphFormat | undefined, output: string | undefined, json: boolean): FlameGraphFormat {
  if (json && format !== undefined && format !== 'json') throw wrong(`--json and --format ${format} exclude each other.`);
  if (format !== undefined) return format;
  if (json) return 'json';
  const file = output?.toLowerCase() ?? '';
  if (/\.speedscope(?:\.json)?$/.test(file)) return 'speedscope';
  if (file.endsWith('.json')) return 'json';
  if (/\.(?:pb|pprof)(?:\.gz)?$/.test(file)) return 'pprof';
  if (/\.html?$/.test(file)) return 'html';
  return /\.(?:collapsed|folded|txt)$/.test(file) ? 'collapsed' : 'svg';
}
