import { diffNormalisers } from '../calltree/diffTrees.ts';
import { type Asked, command } from './command.ts';
import { many, one, orNull } from './options.ts';
import { formatByName, writableFormats } from '../engine/calltree/formats/profileFormats.ts';
import { choice, listed, whole, word, wrong } from './values.ts';

const formats = writableFormats.map(({ id }) => id);
/** What a comparison of two recordings can be written as. */
const diffFormats = writableFormats.filter(({ writeDiff }) => writeDiff !== undefined).map(({ id }) => id);

/** The format that is named, or the one the file's ending means; `--json` is short for `--format json`. */
function formatNamed(format: string | undefined, output: string | undefined, json: boolean): string {
  if (json && format !== undefined && format !== 'json') throw wrong(`--json and --format ${format} exclude each other.`);
  if (format !== undefined) return format;
  if (json) return 'json';
  return (output === undefined ? null : formatByName(output))?.id ?? 'svg';
}

export const flameGraphCommand = command({
  words: 'flamegraph <recording>',
  description:
    'where the time goes in a recording: .cpuprofile, .heapprofile, .jfr, pprof, speedscope, collapsed stacks, or what was recorded of a run (“last”, “previous”, an id)',
  options: {
    event: one('--event <name>', 'which of its events, e.g. cpu or wall (default: the first that was counted)', word),
    trial: many('--trial <key>', 'which trial of the run; given twice, the second is that of --diff', word),
    process: one('--process <pid>', 'only this process, of a recording of several', whole(1, 2 ** 22)),
    diff: one('--diff <recording>', `compare with this one; ${listed(diffFormats)}`, word),
    normalise: one(
      '--normalise <how>',
      `${listed(diffNormalisers)} (default: per request where the requests are known, else share)`,
      choice(diffNormalisers),
    ),
    format: one('--format <format>', `${listed(formats)} (default: by the ending of -o, else svg)`, choice(formats)),
    output: one('-o, --output <file>', 'write there instead of to standard output', word),
  },
  means: ({ trial, format: named, ...values }, source: string) => {
    const { diff, normalise, output, json } = values;
    const format = formatNamed(named, output, json);
    if (diff === undefined && normalise !== undefined) throw wrong('--normalise is for --diff only.');
    if (diff !== undefined && !diffFormats.includes(format))
      throw wrong(`--diff can be written as ${listed(diffFormats)}, not as ${format}.`);
    if (trial.length > (diff === undefined ? 1 : 2)) throw wrong('--trial is given too often: once, and once more for --diff.');
    return { source, trials: trial, format, ...orNull(values) };
  },
});

/** What draws a flame graph: a file, or a recording of Benchside by its own id or that of its run. */
export type FlameGraphAsked = Asked<typeof flameGraphCommand>;
