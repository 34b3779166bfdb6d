import type { Generator } from '../model/generator.ts';
import { one } from './options.ts';
import type { Values } from './options.ts';
import { whole, word, wrong } from './values.ts';

/** Who puts the load on. */
export const generatorOption = one(
  '--generator <name>',
  'k6, or k6=N for N processes of it, puts the load on in place of Benchside’s own closed loop',
  generator,
);

/** What `benchside export k6` and `benchside import k6` are to do. */
export type K6CommandOptions =
  | { action: 'export'; source: string; folder: string; url: string; parallelism: number }
  | { action: 'import'; files: readonly string[]; as: string | null };

export const k6ExportOptions = {
  output: one('-o, --output <folder>', 'a folder that does not exist yet, or an empty one', word),
  url: one('--url <address>', 'where the service is, as k6 asks it (default: http://127.0.0.1:8080)', address),
  parallelism: one('--parallelism <n>', 'runners of the k6 operator (default: 1)', whole(1, 1000)),
};

export const k6ImportOptions = {
  as: one('--as <run>', 'the run that was exported, where its plan.json is not at hand (“last”, an id)', word),
};

export function k6Export(source: string | undefined, { output, url, parallelism }: Values<typeof k6ExportOptions>): K6CommandOptions {
  if (output === undefined) throw wrong('“benchside export k6” needs a folder: -o FOLDER.');
  return {
    action: 'export',
    source: source ?? 'last',
    folder: output,
    url: url ?? 'http://127.0.0.1:8080',
    parallelism: parallelism ?? 1,
  };
}

export function k6Import(files: readonly string[], { as }: Values<typeof k6ImportOptions>): K6CommandOptions {
  return { action: 'import', files, as: as ?? null };
}

function address(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw wrong(`${name} “${text}”: an address such as http://my-service:8080 is needed, without a path.`);
  return url.origin;
}

function generator(text: string, name: string): Generator {
  const [, count] = /^k6(?:=(.*))?$/.exec(text.trim()) ?? [null, null];
  if (count === null) throw wrong(`${name} ${text}: it is k6, or k6=N for N processes of it.`);
  return { kind: 'k6', processes: count === undefined ? 1 : whole(1, 64)(count, name) };
}
