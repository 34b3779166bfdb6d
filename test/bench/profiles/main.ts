// Profiles of other programs, opened and held against what a program that is not ours says of them; docs/profiles.md says what came out.
// Resumable: what is in test/bench/profiles/results is not compared again, and a file that was made is kept in .cache/profile-corpus.
// Usage: node scripts/bench.mjs profiles [--only=part of an id,…]
//   --again         compares again, also what is in the results; the files that are there are kept
//   --remake        makes the files again, too
//   --list          what there is
//   --report        only writes docs/profiles.md from what is stored
// BENCHSIDE_PROFILE_FILES names a folder with files of others that are compared, too, and of which only the results are kept.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compare, opened } from './compare.ts';
import type { CorpusFile } from './corpus.ts';
import { chromiumFiles } from './makers/chromium.ts';
import { foundFiles } from './makers/found.ts';
import { goFiles } from './makers/go.ts';
import { jvmFiles } from './makers/jvm.ts';
import { nodeFiles } from './makers/node.ts';
import { perfFiles } from './makers/perf.ts';
import { pythonFiles } from './makers/python.ts';
import { closeSpeedscope } from './references/speedscope.ts';
import { writePage } from './report.ts';
import { isReached, ResultStore } from './results.ts';
import { cacheDir } from './tools.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
    remake: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const corpus: readonly CorpusFile[] = [
  ...nodeFiles,
  ...chromiumFiles,
  ...jvmFiles,
  ...perfFiles,
  ...goFiles,
  ...pythonFiles,
  ...foundFiles(process.env['BENCHSIDE_PROFILE_FILES']),
];
const parts = values.only.split(',');
const chosen = corpus.filter(({ id }) => parts.some((part) => id.includes(part)));
const store = new ResultStore();

if (values.list) for (const { id, format, program } of chosen) console.log(`${store.has(id) ? '✓' : '·'} ${id}: ${format}, by ${program}`);
else {
  if (!values.report) await compareAll();
  writePage(corpus, store.results);
  console.log('docs/profiles.md is written.');
}

async function compareAll(): Promise<void> {
  for (const one of chosen.filter(({ id }) => values.again || values.remake || !store.has(id))) {
    try {
      await compareOne(one);
    } catch (error) {
      console.log(`✗ ${one.id}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
  await closeSpeedscope();
}

async function compareOne(one: CorpusFile): Promise<void> {
  const file = await fileOf(one);
  const ours = await opened(file, one);
  if (ours.format !== one.format) throw new Error(`read as “${ours.format}”`);
  const comparison = compare(ours, await one.reference.read(file), one.nameOf);
  const { id, program, event, reference } = one;
  const kilobytes = Math.round(statSync(file).size / 1024);
  store.put({ id, format: ours.format, program, reference: reference.by, event, kilobytes, ...rounded(comparison), notes: ours.notes });
  const { totalOffPercent, worstPoints, functions } = comparison;
  console.log(
    `${isReached(comparison) ? '✓' : '✗'} ${id}: total off by ${totalOffPercent.toFixed(2)} %, worst share by ${worstPoints.toFixed(2)} points`,
  );
  if (isReached(comparison)) return;
  console.log(`    total ${comparison.totalOurs}, reference ${comparison.totalReference}; ${ours.notes.join(' ')}`);
  for (const { name, reference: theirs, ours: own } of functions) console.log(`    ${theirs.toFixed(2)} ${own.toFixed(2)} ${name}`);
}

/** The file, as it was made before, or made now. */
async function fileOf({ id, make }: CorpusFile): Promise<string> {
  const folder = path.join(cacheDir, 'files', id);
  const note = path.join(folder, '.file');
  if (!values.remake && existsSync(note)) return readFileSync(note, 'utf8');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = await make(folder);
  writeFileSync(note, file);
  return file;
}

function rounded<T extends ReturnType<typeof compare>>(comparison: T): T {
  const digits = (value: number): number => Number(value.toFixed(3));
  const functions = comparison.functions.map(({ name, reference, ours }) => ({ name, reference: digits(reference), ours: digits(ours) }));
  return { ...comparison, functions, totalOffPercent: digits(comparison.totalOffPercent), worstPoints: digits(comparison.worstPoints) };
}
