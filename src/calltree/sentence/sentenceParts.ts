import type { FunctionTable } from '../../model/domain/callTree.ts';
import { percentPhrase } from '../../model/domain/format.ts';
import { displayName, placePhrase, shortName } from '../shownNames.ts';
import { sourceFileOf } from '../sourceFile.ts';
import type { Cause, CauseDetails, CausePlace } from './causes.ts';
import { libraryName } from './libraryName.ts';

/** A stretch of a sentence, and what it leads to: `share` to what it counts, `function` to its frames, `place` to the line in the source. */
export interface SentencePart {
  text: string;
  link: null | { kind: 'share' } | { kind: 'function'; func: number } | { kind: 'place'; func: number; line: number };
}

/** What a flame graph shows, in a sentence. Numbers of functions are those of the table it was made with. */
export interface FlameSentence {
  /** `nothing`: no part is dominant; `few`: there are too few samples to judge; `empty`: nothing weighs anything. */
  verdict: 'dominant' | 'nothing' | 'few' | 'empty';
  /** Without a full stop. */
  headline: readonly SentencePart[];
  /** What comes after it, as whole sentences; empty where nothing does. */
  more: readonly SentencePart[];
  /** What the share counts, as whole sentences. */
  counts: string;
}

/** The sentence as plain text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join('');
}

export function plain(text: string): SentencePart {
  return { text, link: null };
}

/** 0.876 → "88 %", 0.0812 → "8.1 %". */
export function shareText(share: number): string {
  return share > 0 && share < 0.001 ? 'less than 0.1 %' : percentPhrase(share * 100);
}

/** "Main.slowQuery (Main.java:57)", both leading somewhere. */
export function placeParts(functions: FunctionTable, { func, line }: Pick<CausePlace, 'func' | 'line'>): SentencePart[] {
  const name: SentencePart = { text: functionText(functions, func), link: { kind: 'function', func } };
  const at = line > 0 ? line : (functions.line[func] ?? 0);
  const file = sourceFileOf(functions, func)?.file ?? functions.file[func] ?? '';
  const place = placePhrase(file, at);
  return place === '' ? [name] : [name, plain(' ('), { text: place, link: { kind: 'place', func, line: at } }, plain(')')];
}

/** A function for people: without its package, a constructor as `new`, and a lambda by the function it is written in. */
export function functionText(functions: FunctionTable, func: number): string {
  const name = shortName(functions.name[func] ?? '');
  const [, before = '', within = ''] = /^(.*[.$])?lambda\$(\w+)\$\d+$/.exec(name) ?? [];
  if (within !== '') return `a lambda in ${displayName(`${before}${within}`, 100)}`;
  const [, made = ''] = /^(?:.*[.$])?(\w+)\.<init>$/.exec(name) ?? [];
  if (made !== '') return `new ${displayName(made, 100)}`;
  return name === '' || name === '(anonymous)' ? 'an unnamed function' : displayName(name, 100);
}

/** What the events count, as written in "88 % of …". */
const measures: Readonly<Record<string, string>> = {
  cpu: 'CPU time',
  wall: 'wall time',
  poolWait: 'the time waiting for a connection',
  database: 'the time in the database',
  lock: 'the time waiting for locks',
  alloc: 'the allocated memory',
  heap: 'the memory in use',
  samples: 'what was sampled',
  native: 'the time in native code',
};

export function measureOf(event: string): string {
  return Object.hasOwn(measures, event) ? (measures[event] ?? '') : `“${displayName(event, 40)}”`;
}

/** What a wait is for, and by which word who asked follows. */
const waits: Readonly<Partial<Record<Cause['kind'], { what: string; by: string }>>> = {
  poolWait: { what: 'for a database connection', by: ', asked for in ' },
  databaseWait: { what: 'for the database', by: ', called from ' },
  lockWait: { what: 'for a lock', by: ', in ' },
  otherWait: { what: 'for something else', by: ', called from ' },
};

/**
 * What a part of the weight does, and by which word the user's function follows.
 *
 * @param waitsIn For a wait of which nothing more is known: in which function.
 */
export function predicateOf(event: string, kind: Cause['kind'], waitsIn = ''): { does: string; by: string } {
  if (kind === 'gc') return { does: 'is garbage collection', by: '' };
  if (kind === 'jit') return { does: 'is the JIT compiler at work', by: '' };
  if (kind === 'idle') return { does: 'is idle: threads without work', by: '' };
  if (event === 'poolWait') return { does: 'is asked for', by: ' in ' };
  if (event === 'database') return { does: 'is called from', by: ' ' };
  if (event === 'lock') return { does: 'is in', by: ' ' };
  if (kind === 'code')
    return { does: event === 'alloc' ? 'is allocated in' : event === 'heap' ? 'was allocated in' : 'is spent in', by: ' ' };
  const { what, by } = waits[kind] ?? { what: '', by: '' };
  if (event === 'cpu') return { does: `goes into putting threads to sleep that wait ${what}, and waking them`, by };
  if (kind === 'otherWait' && waitsIn !== '') return { does: `waits in ${waitsIn}`, by };
  return { does: `waits ${what}`, by };
}

/** Names that compilers and the runtime generate. */
const generated = /LambdaForm|Invokers\$Holder|DirectMethodHandle|\$\$Lambda|\$\$FastClass|^\(/;

/** The callee of a function, by its name, or by its library where the name is not well known. '' where neither helps. */
export function calleeText(functions: FunctionTable, { callee }: CauseDetails): string {
  if (callee === null) return '';
  const isGenerated = generated.test(shortName(functions.name[callee.func] ?? ''));
  return isGenerated ? libraryName(functions, callee.func) : functionText(functions, callee.func);
}
