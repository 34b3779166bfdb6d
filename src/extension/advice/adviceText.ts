import { attempt } from '../../model/domain/attempt.ts';
import type { AdviceVariable, Tried } from '../../model/domain/advice.ts';
import { onOneLine } from '../../model/domain/plainText.ts';
import { findVariable, variableInsertion } from '../kit/placesInFile.ts';

/** The SQL of these changes as a document for a migration; empty where they have none. Each statement says what it brought, as a comment. */
export function adviceSql(changes: readonly Tried[]): string {
  const statements = changes.flatMap(({ id, apply }) =>
    apply.flatMap(({ where, text }) => (where === 'sql' ? [`-- ${onOneLine(id)}\n${text}`] : [])),
  );
  if (statements.length === 0) return '';
  const remarks = [
    '-- Proposed by Benchside, which measured it in a copy of the database. Nothing was run on yours.',
    ...(statements.some((text) => text.includes('CONCURRENTLY'))
      ? ['-- CREATE INDEX CONCURRENTLY cannot run inside a transaction; a migration tool has a switch for that.']
      : []),
  ];
  return `${[remarks.join('\n'), ...statements].join('\n\n')}\n`;
}

/** What a person does to have these changes, a line each: variables of the environment, options, SQL. */
export function adviceLines(changes: readonly Tried[]): string {
  return [...new Set(changes.flatMap(({ apply }) => apply.filter(({ where }) => where !== 'benchside.json').map(({ text }) => text)))].join(
    '\n',
  );
}

/** benchside.json with some variables in it: the new text, and each variable that changed with its whole value. */
interface Written {
  text: string;
  changed: { name: string; value: string }[];
}

/** Writes variables into the environment that benchside.json gives a target, and leaves everything else as it is. Null where the target is not in the text. */
export function withVariables(text: string, targetId: string, variables: readonly AdviceVariable[]): Written | null {
  const written: Written = { text, changed: [] };
  for (const { name, value, appends } of variables) {
    const span = findVariable(written.text, targetId, name);
    const before = span === null ? '' : stringAt(written.text.slice(span.start, span.end));
    const words = before.split(/\s+/).filter((word) => word !== '');
    const added = appends ? value.split(' ').filter((word) => !words.includes(word)) : [value];
    const whole = appends ? [...words, ...added].join(' ') : value;
    if (span !== null && whole === before) continue;
    if (span === null) {
      const insertion = variableInsertion(written.text, targetId, name, whole);
      if (insertion === null) return null;
      written.text = spliced(written.text, { start: insertion.at, end: insertion.at }, insertion.text);
    } else {
      written.text = spliced(written.text, span, JSON.stringify(whole));
    }
    written.changed = [...written.changed.filter((one) => one.name !== name), { name, value: whole }];
  }
  return written;
}

function spliced(text: string, { start, end }: { start: number; end: number }, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

function stringAt(raw: string): string {
  return attempt(() => String(JSON.parse(raw)), '');
}
