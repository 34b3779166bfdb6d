import type { Tried } from '../../model/domain/advice.ts';
import { onOneLine } from '../../model/domain/plainText.ts';

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
