import { capital } from '../../model/sentence.ts';
import { conditionSentence, disturbanceSentence, hasDisturbance } from '../../model/disturbanceWords.ts';
import type { Recommendation, RunRecord } from '../../model/run.ts';
import { instanceTable, presentedRun, resourceTable, runTable, tableNote } from '../../model/runTable.ts';
import { disturbedChip, runBadge, runSubtitle, statusWord } from '../../model/runWords.ts';
import { whyText } from '../../model/tuningAnswers.ts';
import type { Table } from '../../model/table.ts';
import { witnessText } from '../../model/witness.ts';
import { disagreement, witnessNames, witnessSays } from '../../model/witnessWords.ts';
import { escaped } from './markdown.ts';
import { repeatCommand } from '../../model/repeatCommand.ts';
import { studyMarkdown, verdictsMarkdown } from './studyMarkdown.ts';
import { environmentFacts, methodFacts, remarks, timePhrase } from './words.ts';
import { onOneLine } from '../../model/plainText.ts';

/** The run as GitHub-flavoured Markdown that can be pasted into a pull request: answers and figures in sight, the rest folded. */
export function markdownReport(run: RunRecord): string {
  const shown = presentedRun(run);
  const found = remarks(run);
  const instances = instanceTable(shown);
  const parts = [
    `### ${escaped(run.title)}`,
    [
      escaped(runSubtitle(run, timePhrase(run.startedAt))),
      ...[runBadge(run).text, disturbedChip(run)].flatMap((text) => (text === '' ? [] : [`**${escaped(text)}**`])),
    ].join(' · '),
    ...run.recommendations.map((answer) => answerText(run, answer)),
    ...studyMarkdown(run),
    ...verdictsMarkdown(run),
    ...list(found.filter((remark) => remark.kind === 'problem')),
    table(runTable(shown)),
    escaped(tableNote(shown)),
    ...(hasDisturbance(run.trials) ? [`Disturbance over the run: ${escaped(disturbanceSentence(run.trials))}`] : []),
    ...list(found.filter((remark) => remark.kind === 'note')),
    folded('Resources', table(resourceTable(shown))),
    ...(instances.rows.length === 0 ? [] : [folded('Instances', table(instances))]),
    folded('Environment', facts(environmentFacts(run))),
    folded('How it was done', facts(methodFacts(run))),
    `To repeat it:\n\n${fenced(repeatCommand(run))}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The answer of a target, then its witnesses, a line each, and under what its figure was measured. */
function answerText(run: RunRecord, answer: Recommendation): string {
  const trial = run.trials.find((one) => one.key === answer.trialKey);
  const contradiction = disagreement(answer.witnesses);
  const lines = [
    ...answer.witnesses.map(
      (witness) => `- ${witnessNames[witness.kind]} (${witnessSays[witness.says]}): ${escaped(capital(witnessText(witness)))}`,
    ),
    ...(contradiction === '' ? [] : [`- ${contradiction}`]),
    ...(trial === undefined || conditionSentence(trial) === '' ? [] : [`- ${escaped(conditionSentence(trial))}`]),
  ];
  const status = statusWord(answer);
  const head = `**${escaped(answer.targetLabel)}: ${escaped(answer.headline)}.** ${status}. ${escaped(whyText(answer))}`;
  return lines.length === 0 ? head : `${head}\n\n${lines.join('\n')}`;
}

function list(items: readonly { about: string; text: string }[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${escaped(item.about)}: ${escaped(item.text)}`).join('\n')];
}

function table({ columns, rows }: Table): string {
  if (rows.length === 0) return 'Nothing was measured.';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => escaped(column.title))),
    line(columns.map((column) => (column.numeric ? '--:' : ':--'))),
    ...rows.map((row) => line(row.cells.map(({ text }) => (row.mark !== null && text !== '' ? `**${escaped(text)}**` : escaped(text))))),
  ].join('\n');
}

function facts(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([name, value]) => `- ${escaped(name)}: ${escaped(value)}`).join('\n');
}

function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sh\n${onOneLine(code)}\n${fence}`;
}
