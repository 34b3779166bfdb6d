import type { Answer, Part } from '../model/presentation/documents/document.ts';
import { forestText } from '../model/presentation/forest.ts';
import { textTable } from './textTable.ts';

const signs = { problem: '!', note: '·' } as const;

/** A document for a terminal, a line for each text; empty lines surround tables, sections and drawings. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => ({ text: textPart(part), apart: !['text', 'list', 'answers'].includes(part.kind) }))
    .filter(({ text }) => text !== '')
    .map(({ text, apart }, index, all) => (index > 0 && (apart || all[index - 1]?.apart === true) ? `\n${text}` : text))
    .join('\n');
}

function textPart(part: Part): string {
  switch (part.kind) {
    case 'heading':
      return [part.text, part.about ?? '', ...(part.chips ?? []).map(({ text }) => text)].filter((text) => text !== '').join(' · ');
    case 'text':
      return part.text;
    case 'answers':
      return part.answers.flatMap(answerLines).join('\n');
    case 'list':
      return part.items.map(({ look, about, text }) => `${signs[look]} ${about === '' ? '' : `${about}: `}${text}`).join('\n');
    case 'facts':
      return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'table':
      return textTable(part.table);
    case 'forest':
      return forestText(part.lines, part.delta).join('\n');
    case 'lines':
      return part.lines.join('\n');
    case 'section':
      return `${part.title}\n${textOf(part.parts)}`;
    case 'beside':
      return textOf(part.sections);
    case 'drawn':
      return '';
  }
}

function answerLines({ label, headline, aside, status, text, evidence, warning, condition }: Answer): string[] {
  const head = `${label === null ? '' : `${label}: `}${headline}${aside === '' ? '' : ` ${aside}`}.`;
  return [
    [head, ...(status === '' ? [] : [`${status}.`]), text].filter((words) => words !== '').join(' '),
    ...evidence.map(({ name, word, text: said }) => `  ${name} (${word}): ${said}`),
    ...[warning, condition].filter((line) => line !== '').map((line) => `  ${line}`),
  ];
}
