// Repeats every published experiment in its short form and writes what came out into docs/experiments.md, those that do not agree included.
// Options: --only C1,C2 (only these; the rows of the others stay), --full.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { StudyRecord } from '../../src/model/study.ts';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../support/engine.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, full: { type: 'boolean', default: false } } });
const only = values.only?.toUpperCase().split(',');
const page = path.join(repositoryDir, 'docs', 'experiments.md');
const [from, to] = ['<!-- measured: begin -->', '<!-- measured: end -->'];

const agreement = { true: 'yes', false: '**no**', null: 'cannot tell' } as const;

/** One line of the table. A bar in a sentence would end its cell. */
function row(record: StudyRecord, seconds: number): string {
  const { study, shape } = record;
  const sign = { true: '✓', false: '✗', null: '?' } as const;
  const rules = shape.map((one) => `${sign[String(one.agrees) as keyof typeof sign]} ${one.sentence}`).join('<br>');
  const why = record.agrees === true ? '' : study.notToday;
  return `| ${study.id} | ${study.title} | ${agreement[String(record.agrees) as keyof typeof agreement]} | ${rules.replaceAll('|', '\\|')} | ${why} | ${Math.round(seconds)} s |`;
}

function previousRows(text: string): Map<string, string> {
  const table = text.slice(text.indexOf(from), text.indexOf(to));
  return new Map(table.split('\n').flatMap((line): [string, string][] => (/^\| [A-E]\d \|/.test(line) ? [[line.slice(2, 4), line]] : [])));
}

const engine = await TestEngine.start({});
try {
  const { studies } = await engine.request('studies/list', {});
  for (const study of studies.filter(({ id }) => only === undefined || only.includes(id))) {
    if (study.missing.length > 0) {
      console.log(`${study.id}: left out. ${study.missing.map(({ message }) => message).join(' ')}`);
      continue;
    }
    const started = performance.now();
    let line: string;
    try {
      const { runId } = await engine.request('study/start', { id: study.id, form: values.full ? 'full' : 'short' });
      const { run } = await engine.request('runs/get', { id: runId });
      if (run.study === null) throw new Error('the run has no study');
      line = row(run.study, (performance.now() - started) / 1000);
      console.log(
        `${study.id} ${study.title}: ${run.study.agrees === null ? 'cannot tell' : run.study.agrees ? 'agrees' : 'does not agree'} (${Math.round((performance.now() - started) / 1000)} s)`,
      );
      for (const { agrees, sentence } of run.study.shape)
        console.log(`   ${agrees === true ? '✓' : agrees === false ? '✗' : '?'} ${sentence}`);
      for (const note of run.notes) console.log(`   · ${note}`);
      for (const { arm, level, limit, valid, reasons, figures } of run.study.points)
        console.log(
          `   ${arm}@${level}: ${Math.round(figures.throughput ?? 0)} req/s ${(figures.meanMs ?? 0).toFixed(1)} ms ${limit ?? '–'} ${valid ? '' : `void: ${reasons[0] ?? ''}`}`,
        );
    } catch (error) {
      console.log(`${study.id}: failed. ${String(error)} ${JSON.stringify((error as { failure?: unknown }).failure ?? '')}`);
      process.exitCode = 1;
      continue;
    }
    // Written after each, so that what was measured is kept when a later one is broken off.
    const text = readFileSync(page, 'utf8');
    const rows = previousRows(text).set(study.id, line);
    const table = [
      '',
      '| | Experiment | Shape agrees | What was measured | Why it may not | Took |',
      '|---|---|---|---|---|---|',
      ...[...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
      '',
    ].join('\n');
    writeFileSync(page, text.slice(0, text.indexOf(from) + from.length) + '\n' + table + '\n' + text.slice(text.indexOf(to)));
  }
} finally {
  await engine.dispose();
  removeTemporaryFolders();
}
