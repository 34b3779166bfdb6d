import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';

export const soakFile = path.join(repositoryDir, 'test', 'bench', 'soak', 'results', 'soak.jsonl');

const soakSchema = z.object({
  minutes: z.number(),
  rounds: z.number(),
  steadyCode: z.boolean().default(false),
  engines: z.number(),
  grows: z.array(
    z.object({ who: z.string(), fromMb: z.number(), toMb: z.number(), perHourMb: z.number(), low: z.number(), high: z.number() }),
  ),
  counts: z.array(z.object({ what: z.string(), from: z.number(), to: z.number() })),
});

/** Every soak that is kept, as a table of Markdown. */
export function soakTable(): string {
  const lines = existsSync(soakFile) ? readFileSync(soakFile, 'utf8').split('\n') : [];
  const soaks = lines.filter((line) => line !== '').map((line) => soakSchema.parse(JSON.parse(line)));
  const rows = soaks.map(({ minutes, rounds, steadyCode, engines, grows, counts }) => [
    `${Math.round(minutes)} min${steadyCode ? ', compiled once' : ''}`,
    rounds,
    engines,
    ...['engine', 'client', 'panel'].map((name) => {
      const of = grows.find(({ who }) => who === name);
      return of === undefined ? '–' : `${of.perHourMb} MB/h (${of.low} to ${of.high}), now ${of.toMb} MB`;
    }),
    counts
      .filter(({ what }) => what.includes('descriptors'))
      .map(({ what, from, to }) => `${what.replace(' descriptors', '')} ${from} → ${to}`)
      .join(', '),
  ]);
  return markdownTable([['time', 'rounds', 'other engines', 'engine', 'client', 'panel', 'descriptors'], ...rows]);
}
