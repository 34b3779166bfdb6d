import type { RawFormat, RawRequest, RawView } from '../model/rawSample.ts';
import { rawRequestSchema, rawViewSchema } from '../model/rawSample.ts';
import { decimal, wholeNumber, wrong } from './values.ts';

/** `--raw` alone means all: what reads the command line knows no option whose value may be left out. */
export function rawWithoutShare(argument: string): string {
  return argument === '--raw' ? '--raw=1' : argument;
}

/** What `--raw=SHARE` asks for: a share as a fraction, or in percent. */
export function rawRequest(text: string): RawRequest {
  const share = text.endsWith('%') ? decimal('--raw', text.slice(0, -1).trim(), 0.0001, 100) / 100 : decimal('--raw', text, 0.000001, 1);
  return rawRequestSchema.parse({ share });
}

/** What `benchside raw` is to do. */
export type RawCommandOptions =
  | { action: 'list' }
  | { action: 'load'; run: string }
  | { action: 'query'; run: string; view: RawView; limit: number }
  | { action: 'export'; run: string; format: RawFormat; output: string };

/** Reads the words and options after `raw`; what cannot be understood fails with the code `usage`. */
export function parseRawCommand(
  words: readonly string[],
  { limit, format, output }: { limit?: string | undefined; format?: string | undefined; output?: string | undefined },
): RawCommandOptions {
  const [action = 'list', run, view, ...more] = words;
  const count = { list: 1, load: 2, query: 3, export: 2 }[action];
  if (count === undefined) throw wrong(`There is no “benchside raw ${action}”: it is list, load, query or export.`);
  if (more.length > 0 || words.length > count) throw wrong(`“benchside raw ${action}” got a word too many: “${words.at(-1) ?? ''}”.`);
  if (action === 'list') return { action };
  if (run === undefined) throw wrong(`“benchside raw ${action}” needs a run, such as “last”.`);
  if (action === 'load') return { action, run };
  if (action === 'query') {
    const known = rawViewSchema.options.find((one) => one === view?.replaceAll('-', '_'));
    if (known === undefined) throw wrong(`“benchside raw query RUN VIEW” needs one of these views: ${rawViewSchema.options.join(', ')}.`);
    return { action, run, view: known, limit: limit === undefined ? 100 : wholeNumber('--limit', limit, 1, 10_000) };
  }
  if (output === undefined) throw wrong('“benchside raw export” needs a file: -o samples.parquet, or -o samples.csv.');
  const ending = format ?? output.split('.').pop()?.toLowerCase();
  if (ending !== 'csv' && ending !== 'parquet')
    throw wrong('Raw samples are exported as csv or parquet: name a file that ends so, or give --format.');
  return { action: 'export', run, format: ending, output };
}
