import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';
import type { CorpusFile } from './corpus.ts';
import { goal } from './compare.ts';
import { type Result, isReached } from './results.ts';

const pageFile = path.join(repositoryDir, 'docs', 'profiles.md');

/** Writes docs/profiles.md from what was compared. */
export function writePage(corpus: readonly CorpusFile[], results: readonly Result[]): void {
  const inOrder = corpus.flatMap(({ id }) => results.find((one) => one.id === id) ?? []);
  const formats = [...new Set(inOrder.map(({ format }) => format))];
  const summary = formats.map((format) => {
    const own = inOrder.filter((one) => one.format === format);
    const worst = Math.max(...own.map(({ worstPoints }) => worstPoints));
    const total = Math.max(...own.map(({ totalOffPercent }) => Math.abs(totalOffPercent)));
    return [format, own.length, own.filter(isReached).length, `${total.toFixed(2)} %`, worst.toFixed(2)];
  });
  const rows = inOrder.map((one) => [
    one.format,
    one.program,
    `\`${one.event}\``,
    one.reference,
    signed(one.totalOffPercent),
    one.worstPoints.toFixed(2),
    isReached(one) ? 'yes' : '**no**',
  ]);
  const missed = inOrder.filter((one) => !isReached(one));
  writeFileSync(
    pageFile,
    [
      '# Profiles of others',
      '',
      '<!-- Written by `npm run bench profiles` from test/bench/profiles/results. Change the bench, not this page. -->',
      '',
      `\`npm run bench profiles\` lets other programs write profiles of programs that compute in a dozen functions (\`test/fixtures/profileCorpus\`), opens each as the product does, and asks a`,
      `program that is not ours what is in it. Goal: the total within ${goal.totalPercent} %, and the share of each of the first ten functions within ${goal.points} point of what the other program says. The files`,
      'themselves are made on the spot and not kept. What is in the results is not compared again; `--again` does, `--only=` some of them, `--list` says what there is.',
      '',
      `**${inOrder.length} files in ${formats.length} formats; ${inOrder.length - missed.length} reach the goal.**`,
      '',
      markdownTable([['read as', 'files', 'reach the goal', 'total off by at most', 'a share off by at most, points'], ...summary]),
      '',
      '## Each file',
      '',
      markdownTable([['read as', 'written by', 'event', 'compared with', 'total off', 'worst share, points', 'reached'], ...rows]),
      '',
      ...(missed.length === 0 ? [] : ['## What misses, and why', '', ...missed.map((one) => whyOf(corpus, one)), '']),
      'How the other programs count, where that is not as here: async-profiler’s own work, which is in its recordings, is left out on both sides.',
      'Names are compared without kinds of code, addresses and folders.',
      '',
    ].join('\n'),
  );
}

function whyOf(corpus: readonly CorpusFile[], { id, program }: Result): string {
  return `- **${program}**: ${corpus.find((one) => one.id === id)?.differs ?? 'not known yet.'}`;
}

function signed(percent: number): string {
  const text = Math.abs(percent).toFixed(2);
  return `${percent < 0 && text !== '0.00' ? '−' : ''}${text} %`;
}
