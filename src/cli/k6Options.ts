import { type Generator, isServiceUrl } from '../model/domain/generator.ts';
import { command } from './command.ts';
import { one } from './options.ts';
import { whole, word, wrong } from './values.ts';

/** What generates the load. */
export const generatorOption = one(
  '--generator <name>',
  'k6, or k6=N for N processes of it, puts the load on in place of Benchside’s own closed loop; k6-operator or k6-operator=N: as many runners of the k6 operator, in the cluster that --k6-context, --k6-namespace and --k6-url name',
  generator,
);

/** What `benchside export k6` and `benchside import k6` are to do. */
export type K6Asked =
  | { action: 'export'; source: string; folder: string; url: string; parallelism: number }
  | { action: 'import'; files: readonly string[]; as: string | null };

function address(text: string, name: string): string {
  if (text.includes('{port}') || !isServiceUrl(text))
    throw wrong(`${name} “${text}”: an address such as http://my-service:8080 is needed, without a path.`);
  return new URL(text).origin;
}

function generator(text: string, name: string): Generator {
  const [, kind, count] = /^(k6|k6-operator)(?:=(.*))?$/.exec(text.trim()) ?? [];
  if (kind === undefined) throw wrong(`${name} “${text}”: it is k6 or k6-operator, or k6=N and k6-operator=N for N of them.`);
  return { kind: kind === 'k6' ? kind : 'k6-operator', processes: count === undefined ? 1 : whole(1, 64)(count, name) };
}

export const k6ExportCommand = command({
  words: 'export k6 [source]',
  description: 'the same measurement as a folder for k6 and its operator: a run (default: the last), or an experiment by its name or file',
  options: {
    output: one('-o, --output <folder>', 'a folder that does not exist yet, or an empty one', word),
    url: one('--url <address>', 'where the service is, as k6 asks it (default: http://127.0.0.1:8080)', address),
    parallelism: one('--parallelism <n>', 'runners of the k6 operator (default: 1)', whole(1, 1000)),
  },
  means: ({ output, url = 'http://127.0.0.1:8080', parallelism = 1 }, source = 'last'): K6Asked => {
    if (output === undefined) throw wrong('“benchside export k6” needs a folder: -o FOLDER.');
    return { action: 'export', source, folder: output, url, parallelism };
  },
});

export const k6ImportCommand = command({
  words: 'import k6 <files...>',
  description: 'a run from the CSV files of k6’s runners, merged; name the plan.json of the export with them, or the run that was exported',
  options: { as: one('--as <run>', 'the run that was exported, where its plan.json is not at hand (“last”, an id)', word) },
  means: ({ as }, ...files): K6Asked => ({ action: 'import', files, as: as ?? null }),
});
