import { onOneLine, withoutControls } from '../../model/domain/plainText.ts';
import { type Answer, type Item, type Part, type PartTexts, partsText } from '../../model/presentation/documents/document.ts';
import { forestText } from '../../model/presentation/forest.ts';
import { type Table, cellText } from '../../model/presentation/table.ts';
import { forestSvg } from './forest.ts';

/** A document as GitHub-flavoured Markdown: the parts with an empty line between them. All of its texts may be of others. */
export function markdownOf(parts: readonly Part[]): string {
  return partsText(texts, parts, '\n\n');
}

/** Text that Markdown shows as it is: no markup, no HTML, no line break, and (by an invisible joiner) no mention, no reference to an issue, no link. */
export function escaped(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_[\]|<>~$]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/^([#+\-=]|\d{1,9}[.)](?=\s|$))/, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`)
    .replace(/@|:\/\/|#(?=\d)|\bwww\./g, (start) => `${start.slice(0, 1)}\u2060${start.slice(1)}`);
}

const texts: PartTexts = {
  heading: ({ text, about, chips = [] }) => {
    const aside = [...(about === undefined ? [] : [escaped(about)]), ...chips.map((chip) => `**${escaped(chip.text)}**`)].join(' · ');
    return [`### ${escaped(text)}`, aside].filter((line) => line !== '').join('\n\n');
  },
  text: ({ text }) => escaped(text),
  answers: ({ answers }) => answers.map(answerText).join('\n\n'),
  list: ({ items }) => items.map(itemText).join('\n'),
  facts: ({ facts }) => facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(value)}`).join('\n'),
  table: ({ table }) => tableText(table),
  forest: ({ lines, delta }) => [fenced(forestText(lines, delta), 'text'), picture(forestSvg(lines, delta))].join('\n\n'),
  lines: ({ lines, command }) => fenced(lines, command ? 'sh' : 'text'),
  section: ({ title, fold, parts }) => {
    const body = markdownOf(parts);
    return fold ? `<details><summary>${escaped(title)}</summary>\n\n${body}\n\n</details>` : `${escaped(title)}:\n\n${body}`;
  },
  beside: ({ sections }) => markdownOf(sections),
  drawn: () => '',
};

/** The answer of a target, then its evidence, a line each, and under what its figure was measured. */
function answerText({ label, headline, aside, status, text, evidence, warning, condition }: Answer): string {
  const head = `**${label === null ? '' : `${escaped(label)}: `}${escaped(headline)}${aside === '' ? '' : ` ${escaped(aside)}`}.**`;
  const lines = [
    ...evidence.map(({ name, word, text: said }) => `${escaped(name)} (${escaped(word)}): ${escaped(said)}`),
    ...[warning, condition].filter((line) => line !== '').map(escaped),
  ];
  return [
    [head, ...(status === '' ? [] : [`${escaped(status)}.`]), escaped(text)].join(' ').trim(),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')]),
  ].join('\n\n');
}

function itemText({ about, text, evidence = [], more }: Item): string {
  const words = [text, more?.explanation ?? '', evidence.length === 0 ? '' : `${evidence.join('; ')}.`].filter((line) => line !== '');
  return `- ${about === '' ? '' : `${escaped(about)}: `}${escaped(words.join(' '))}`;
}

function tableText({ caption, columns, rows }: Table): string {
  if (rows.length === 0) return 'Nothing was measured.';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(caption === undefined ? [] : [escaped(caption), '']),
    line(columns.map(({ title }) => escaped(title))),
    line(columns.map(({ numeric }) => (numeric ? '--:' : ':--'))),
    ...rows.map(({ mark, cells }) =>
      line(
        cells.map((cell) => {
          const text = escaped(cellText(cell));
          return mark !== null && text !== '' ? `**${text}**` : text;
        }),
      ),
    ),
  ].join('\n');
}

/** Lines as they are: none of them ends the block. A command keeps its backticks, between longer fences. */
function fenced(lines: readonly string[], language: 'text' | 'sh'): string {
  if (lines.length === 0) return '';
  const isText = language === 'text';
  const shown = lines.map((line) => (isText ? withoutControls(line).replaceAll('\n', ' ').replaceAll('`', 'ˋ') : onOneLine(line)));
  const longest = Math.max(2, ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...shown, fence].join('\n');
}

function picture(svg: string | null): string {
  return svg === null
    ? ''
    : `<img alt="The figures with their intervals" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`;
}
