import {
  type RawFormat,
  type RawRequest,
  type RawView,
  rawFormatSchema,
  rawRequestSchema,
  rawViewSchema,
} from '../model/domain/rawSample.ts';
import { command } from './command.ts';
import { type Reader, one } from './options.ts';
import { choice, decimal, percent, whole, word, wrong } from './values.ts';

/** What `benchside raw` is to do. */
export type RawAsked =
  | { action: 'list' }
  | { action: 'load'; run: string }
  | { action: 'query'; run: string; view: RawView; limit: number }
  | { action: 'export'; run: string; format: RawFormat; output: string };

const share: Reader<RawRequest> = (text, name) => {
  const fraction = text.trim().endsWith('%') ? percent(0.0001, 100) : decimal(0.000001, 1);
  return rawRequestSchema.parse({ share: fraction(text, name) });
};

/** Keeps raw samples of a run. */
export const rawOption = one('--raw [share]', 'keep every request as a row of its own, or a share of them, e.g. --raw=10%', share, '1');

export const rawListCommand = command({
  words: 'raw list',
  description: 'the runs that have kept some',
  means: (): RawAsked => ({ action: 'list' }),
});

export const rawLoadCommand = command({
  words: 'raw load <run>',
  description: 'put them into PostgreSQL',
  means: (_, run: string): RawAsked => ({ action: 'load', run }),
});

export const rawQueryCommand = command({
  words: 'raw query <run> <view>',
  description: 'print a view of them: by_second, by_route, latency_percentiles, where_time_goes, slowest, errors or requests',
  options: { limit: one('--limit <n>', 'at most so many rows (default: 100)', whole(1, 10_000)) },
  means: ({ limit }, run: string, view: string): RawAsked => {
    const known = rawViewSchema.options.find((one) => one === view.replaceAll('-', '_'));
    if (known === undefined) throw wrong(`There is no view “${view}”: choose one of ${rawViewSchema.options.join(', ')}.`);
    return { action: 'query', run, view: known, limit: limit ?? 100 };
  },
});

export const rawExportCommand = command({
  words: 'raw export <run>',
  description: 'write them to a .csv or .parquet file',
  options: {
    output: one('-o, --output <file>', 'the file to write', word),
    format: one('--format <format>', 'csv or parquet (default: by the ending of -o)', choice(rawFormatSchema.options)),
  },
  means: ({ output, format }, run: string): RawAsked => {
    if (output === undefined) throw wrong('“benchside raw export” needs a file: -o samples.parquet, or -o samples.csv.');
    const ending = output.split('.').pop()?.toLowerCase();
    const known = format ?? rawFormatSchema.options.find((one) => one === ending);
    if (known === undefined) throw wrong('Raw samples are exported as csv or parquet: name a file that ends so, or give --format.');
    return { action: 'export', run, format: known, output };
  },
});
