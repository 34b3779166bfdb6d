import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';
import { reachedBy } from './goal.ts';

export const soakFile = path.join(repositoryDir, 'test', 'bench', 'soak', 'results', 'soak.jsonl');

const reachedWords = { heap: 'yes', objects: 'yes, by objects', missed: '**no**' };

const soakSchema = z.object({
  minutes: z.number(),
  rounds: z.number(),
  steadyCode: z.boolean().default(false),
  engines: z.number(),
  grows: z.array(
    z.object({ who: z.string(), fromMb: z.number(), toMb: z.number(), perHourMb: z.number(), low: z.number(), high: z.number() }),
  ),
  kinds: z.array(z.object({ who: z.string(), objectsPerHourMb: z.number(), compiledPerHourMb: z.number() })).optional(),
  counts: z.array(z.object({ what: z.string(), from: z.number(), to: z.number() })),
});

/** Every soak that is kept, as a table of Markdown: of these lines of JSON, or of those in the file. */
export function soakTable(kept = existsSync(soakFile) ? readFileSync(soakFile, 'utf8') : ''): string {
  const soaks = kept
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => soakSchema.parse(JSON.parse(line)));
  const rows = soaks.map(({ minutes, rounds, steadyCode, engines, grows, kinds, counts }) => [
    `${Math.round(minutes)} min${steadyCode ? ', compiled once' : ''}`,
    rounds,
    engines,
    ...['engine', 'client', 'panel'].map((name) => {
      const of = grows.find(({ who }) => who === name);
      if (of === undefined) return '–';
      const kind = kinds?.find(({ who }) => who === name);
      const made = kind === undefined ? '' : `: objects ${kind.objectsPerHourMb}, compiled ${kind.compiledPerHourMb}`;
      return `${of.perHourMb} MB/h (${of.low} to ${of.high})${made}; now ${of.toMb} MB`;
    }),
    counts
      .filter(({ what }) => what.includes('descriptors'))
      .map(({ what, from, to }) => `${what.replace(' descriptors', '')} ${from} → ${to}`)
      .join(', '),
    reachedWords[reachedBy({ grows, kinds, counts }) ?? 'missed'],
  ]);
  return markdownTable([['time', 'rounds', 'other engines', 'engine', 'client', 'panel', 'descriptors', 'reached'], ...rows]);
}
