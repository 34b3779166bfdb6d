import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { verdictSchema } from '../../../../src/model/domain/tuning.ts';
import { variantKeys } from '../../../../src/engine/variants/catalogue.ts';
import type { VariantKey } from '../../../../src/engine/variants/variantKey.ts';
import { declared } from '../../../support/declaredTarget.ts';
import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, countOf, oneByOne, share } from '../cell.ts';

const samples = [declared('node', { runtime: 'node', postgres: { env: {} } }), declared('java', { runtime: 'jvm', postgres: { env: {} } })];
/** The keys that a sample can have, each with the name of a variant: “node: uv.threads”. */
const keys = new Map(
  samples.flatMap(({ target }) =>
    variantKeys
      .filter(({ fits, ofWorkspace }) => ofWorkspace !== true && fits(target))
      .map((key): [string, { target: string; key: VariantKey }] => [`${target.id}: ${key.key}`, { target: target.id, key }]),
  ),
);

const comparedSchema = z.object({
  code: z.literal('variant-compared'),
  verdict: verdictSchema,
  change: z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
});

/** What is asked: a key’s two values that make the same of a process or, of a key without, one value and a setting of PostgreSQL that is written in two ways. */
function asked({ key, example, copies }: VariantKey, emptyFile: string): string[] {
  const [name = key] = example.split('=');
  const values = copies(emptyFile);
  return values.length === 2
    ? ['--vary', `${name}=${values.join(',')}`]
    : ['--set', `${name}=${values[0]}`, '--vary', 'postgres.work_mem=4MB,4096kB'];
}

/** Two sides that are one, by every key of the catalogue. */
export const keyCopies: Cell = {
  name: 'key-copies',
  title: 'A/A: copies by every key of the catalogue',
  goal: 'called different ≤ 5 %',
  how:
    '`benchside run --vary KEY=A,B` on `/ads/:id`, 32 connections, with the two values that the entry of the key names as making the same of a process: one in two ways (`4MB` and `4096kB`; a version and its program; no SQL and an empty file), or two of which the route has plenty of either (heaps of 1,024 and 1,056 MiB, libuv’s threads). ' +
    'Of keys without such a pair (`jvm.gc`, `rows`) both sides have one value, and `postgres.work_mem` is written in two ways. *Different* is a verdict of better or worse on throughput, *same* lies within ±5 %, *no word* is neither. `code` is of a repository of its own, and is not asked here.',
  variants: [...keys.keys()],
  times: 4,
  outcomes: ['same', 'different', 'no word', 'failed'],
  wishes: [{ what: 'copies by a key are not called different', outcomes: ['same', 'no word'], share: 0.95 }],
  measure: oneByOne(async (variant, { workspace, signal, extra }) => {
    const one = keys.get(variant);
    if (one === undefined) throw new Error(`Name variants of: ${[...keys.keys()].join('; ')}.`);
    const emptyFile = path.join(workspace, 'nothing.sql');
    writeFileSync(emptyFile, '');
    const before = runsOf(workspace);
    const args = ['--target', one.target, ...asked(one.key, emptyFile), '--route', '/ads/:id', '--connections', '32', ...extra];
    const called = await benchside(['run', ...args], workspace, signal);
    const run = newRun(workspace, before);
    const noted = { ...circumstances(run), wholeS: called.wholeS };
    const said = run?.notes.flatMap((note) => comparedSchema.safeParse(note).data ?? [])[0];
    if (said === undefined) return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    const { verdict, change } = said;
    return {
      ...noted,
      outcome: verdict === 'same' ? 'same' : verdict === 'unknown' ? 'no word' : 'different',
      ...(change === null ? {} : { ratio: { mean: change.mean, ciLow: change.low, ciHigh: change.high } }),
      said: verdict,
    };
  }),
  judge: (results) => {
    const n = results.length;
    const different = countOf(results, 'different');
    return {
      figures: `${n} comparisons: same ${share(countOf(results, 'same'), n)}, different ${share(different, n)}, without a word ${share(countOf(results, 'no word', 'failed'), n)}`,
      reached: n === 0 ? null : different <= 0.05 * n,
    };
  },
};
