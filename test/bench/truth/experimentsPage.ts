import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import type { Result } from './store.ts';

const page = path.join(repositoryDir, 'docs', 'experiments.md');
const [from, to] = ['<!-- measured: begin -->', '<!-- measured: end -->'];

/** Writes what the experiments came to into docs/experiments.md: of each the last repetition on the machine as it is. Nothing where none was measured. */
export function writeExperiments(results: readonly Result[]): void {
  const last = new Map(
    results.filter(({ cell, condition }) => cell === 'experiments' && condition === 'as-is').map((result) => [result.variant, result]),
  );
  if (last.size === 0) return;
  const rows = [...last.values()].sort((a, b) => a.variant.localeCompare(b.variant));
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  const text = readFileSync(page, 'utf8');
  const table = [
    '',
    `${rows.length} experiments in their short form, one run of each, on a machine of two cores that other programs used meanwhile, as the column says: ${count('agrees')} agree, ${count('does not agree')} do not, ${count('cannot tell')} are undecided.`,
    '',
    '| | Shape agrees | What was measured | CPU taken | Measuring | Whole |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(row),
    '',
  ].join('\n');
  writeFileSync(page, `${text.slice(0, text.indexOf(from) + from.length)}\n${table}\n${text.slice(text.indexOf(to))}`);
}

function row({ variant, outcome, said, takenPercent, measuringS, wholeS }: Result): string {
  const word = outcome === 'agrees' ? 'yes' : outcome === 'does not agree' ? '**no**' : outcome;
  const cells = [
    variant,
    word,
    said,
    takenPercent === null ? '–' : `${Math.round(takenPercent)} %`,
    measuringS === null ? '–' : `${Math.round(measuringS)} s`,
    `${Math.round(wholeS)} s`,
  ];
  // A bar in a sentence would end its cell.
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
