import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { attempt } from '../../model/domain/attempt.ts';

/** The place of a value in a text: from `start` to before `end`, counted in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Faults of a text that leave the place of everything in it known. */
const harmless: readonly string[] = ['CommaExpected', 'EndOfFileExpected'];

/**
 * Where benchside.json says the default of a target's setting, so that another can be written in its place with everything around it, comments
 * included, left as it is. Null where the text is no such file, or the target, the setting or its default is not in it.
 */
export function findDefault(text: string, targetId: string, setting: string): Span | null {
  return spanOf(member(member(member(targetNode(text, targetId), 'settings'), setting), 'default'));
}

/** Where benchside.json says the value of a variable that it gives a target. Null where it does not. */
export function findVariable(text: string, targetId: string, name: string): Span | null {
  return spanOf(member(member(targetNode(text, targetId), 'env'), name));
}

/** Where another target can be written: behind the last one of the file, or in its empty list. Null where the text is no such file. */
export function endOfTargets(text: string): { at: number; empty: boolean } | null {
  const targets = targetList(text);
  return targets === null ? null : placeIn(targets, targets.children?.at(-1));
}

/**
 * Where a variable can be written into the environment of a target: behind the last one of its `env`, or behind the last member of the target where it has no
 * `env` yet. Null where the target is not in the text.
 */
export function placeOfVariable(
  text: string,
  targetId: string,
): { at: number; opens: number; empty: boolean; inside: 'env' | 'target' } | null {
  const target = targetNode(text, targetId);
  if (target === undefined) return null;
  const env = member(target, 'env');
  const inside = env?.type === 'object' ? env : target;
  const last = inside.children?.at(-1)?.children?.[1];
  return { ...placeIn(inside, last), opens: inside.offset, inside: inside === env ? 'env' : 'target' };
}

/**
 * A variable, by default without a value, in the environment that benchside.json gives a target: on a line of its own where what is before it is, with the caret between its quotes.
 * In UTF-16 units. Null where the target is not in the text.
 */
export function variableInsertion(
  text: string,
  targetId: string,
  name: string,
  value = '',
): { at: number; text: string; caret: number } | null {
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

/** Each target of the file with its id, and where it begins. Those without an id are left out, as is all where the text is no such file. */
export function targetPlaces(text: string): { id: string; at: number }[] {
  return (targetList(text)?.children ?? []).flatMap((item) => {
    const id: unknown = member(item, 'id')?.value;
    return typeof id === 'string' ? [{ id, at: item.offset }] : [];
  });
}

/** The list of targets; null where the text, JSON with comments and trailing commas, has none, or is broken. */
function targetList(text: string): Node | null {
  const errors: ParseError[] = [];
  // The parser goes down with a text that is nested too deeply.
  const tree = attempt(() => parseTree(text, errors, { allowTrailingComma: true }), undefined);
  if (!errors.every(({ error }) => harmless.includes(printParseErrorCode(error)))) return null;
  const targets = member(tree, 'targets');
  return targets?.type === 'array' ? targets : null;
}

function targetNode(text: string, targetId: string): Node | undefined {
  return targetList(text)?.children?.find((item) => member(item, 'id')?.value === targetId);
}

// Of a name that is there twice the last one counts.
function member(node: Node | undefined, name: string): Node | undefined {
  return node?.type === 'object' ? node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1] : undefined;
}

function spanOf(node: Node | undefined): Span | null {
  if (node === undefined || node.type === 'object' || node.type === 'array') return null;
  return { start: node.offset, end: node.offset + node.length };
}

/** Behind the last of what a list or an object holds, or at its beginning. */
function placeIn({ offset }: Node, last: Node | undefined): { at: number; empty: boolean } {
  return last === undefined ? { at: offset + 1, empty: true } : { at: last.offset + last.length, empty: false };
}
