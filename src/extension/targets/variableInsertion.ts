import { placeOfVariable } from '../kit/placesInFile.ts';

/** What is inserted into a text, where, and where the caret is afterwards. In UTF-16 units. */
interface Insertion {
  at: number;
  text: string;
  caret: number;
}

/**
 * A variable, by default without a value, in the environment that benchside.json gives a target: on a line of its own where what is before it is, with the caret between its quotes.
 * Null where the target is not in the text.
 */
export function variableInsertion(text: string, targetId: string, name: string, value = ''): Insertion | null {
  const place = placeOfVariable(text, targetId);
  if (place === null) return null;
  const { at, opens, empty, inside } = place;
  const member = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const added = inside === 'env' ? member : `"env": { ${member} }`;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const ownLine = !empty && at - line.length > opens;
  const before = empty ? ' ' : ownLine ? `,\n${indent}` : ', ';
  const caret = at + before.length + added.indexOf(member) + member.length - 1;
  return { at, text: `${before}${added}${empty ? ' ' : ''}`, caret };
}
