import * as z from 'zod';
import { remembered } from '../../../model/domain/remembered.ts';
import { LineStarts } from '../../files/lineStarts.ts';
import type { InspectorClient } from './inspectorClient.ts';
import type { LoadedScript } from './sourceMaps.ts';
import type { CpuProfile, V8CallFrame } from './v8Profiles.ts';

/** What V8 always counts of calls: which functions have run, and where they are. */
const coverageSchema = z.object({
  result: z.array(
    z.object({
      scriptId: z.string(),
      url: z.string(),
      functions: z.array(
        z.object({ functionName: z.string(), ranges: z.array(z.object({ startOffset: z.number(), endOffset: z.number() })).min(1) }),
      ),
    }),
  ),
});

/** Functions that have run, by their script; offsets are into its text. */
export type RanFunctions = z.infer<typeof coverageSchema>['result'];

const timeoutMs = 10_000;

/** Asks a process which functions have run so far; empty where it does not report them. Changes nothing in it. */
export async function ranFunctions(client: InspectorClient): Promise<RanFunctions> {
  try {
    return coverageSchema.parse(await client.send('Profiler.getBestEffortCoverage', {}, timeoutMs)).result;
  } catch {
    return [];
  }
}

/** A function that has run: lines from 1, and the names that its code calls. */
interface Ran {
  frame: V8CallFrame;
  first: number;
  last: number;
  script: string;
  calls: readonly { name: string; isMethod: boolean }[];
}

/** How many calls deep code is looked for that may have been inlined; V8 itself inlines hardly deeper. */
const mostCalls = 5;
const mostReached = 400;
const call = /(\.\s*)?([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/gu;
const bracketsOnly = /^[\s)\]};,]*(?:\/\/.*)?$/;

/**
 * Functions that may have been inlined into another: those that it calls by their name or was seen to call, and that these call. V8 reports only the line of
 * inlined code, not its file.
 */
export class InlineCandidates {
  readonly #byName = new Map<string, Ran[]>();
  readonly #byPlace = new Map<string, Ran>();
  /** By the place of a function: those that it was seen to call. */
  readonly #seen = new Map<string, Set<Ran>>();
  readonly #reached = new Map<string, Map<Ran, Ran | null>>();
  readonly #lines = new Map<string, readonly string[]>();

  constructor(
    ran: RanFunctions,
    private readonly scripts: ReadonlyMap<string, LoadedScript>,
    profile: CpuProfile,
  ) {
    for (const { scriptId, url, functions } of ran) {
      const text = scripts.get(url)?.text;
      if (text === undefined) continue;
      const lines = new LineStarts(text);
      for (const { functionName, ranges } of functions) {
        const [range] = ranges;
        // The script as a whole is a function too: it has run before anything could be inlined.
        if (range === undefined || (functionName === '' && range.startOffset === 0)) continue;
        const body = text.slice(range.startOffset, range.endOffset);
        // V8's profiles name the place of the parameters, its counts that of the word `function`.
        const at = range.startOffset + (/^(?:async\s+)?function\b[^(]*/.exec(body)?.[0].length ?? 0);
        const line = lines.lineAt(at);
        const frame = { functionName, scriptId, url, lineNumber: line, columnNumber: at - (lines.startOf(line) ?? 0) };
        const last = lines.lineAt(Math.max(at, range.endOffset - 1)) + 1;
        const known: Ran = { frame, first: line + 1, last, script: url, calls: callsIn(body) };
        this.#byPlace.set(placeOf(frame), known);
        if (functionName !== '') remembered(this.#byName, functionName, () => []).push(known);
      }
    }
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const { callFrame, children = [] } of profile.nodes) {
      const seen = remembered(this.#seen, placeOf(callFrame), () => new Set());
      for (const id of children) {
        const frame = frames.get(id);
        const callee = frame === undefined ? undefined : this.#byPlace.get(placeOf(frame));
        if (callee !== undefined) seen.add(callee);
      }
    }
  }

  /**
   * The functions from a frame's callee to the one that a line is in, where that line's code can only have been inlined from there; null where
   * no or more than one function may be meant.
   */
  chain(frame: V8CallFrame, line: number): V8CallFrame[] | null {
    const place = placeOf(frame);
    const reached = remembered(this.#reached, place, () => this.#reachedFrom(place));
    const fitting = [...reached.keys()].filter(({ first, last }) => first <= line && line <= last);
    const [one] = fitting;
    if (one === undefined || fitting.some(({ script }) => script !== one.script)) return null;
    const innermost = fitting.reduce((best, next) => (next.first >= best.first ? next : best));
    const chain: V8CallFrame[] = [];
    for (let at: Ran | null = innermost; at !== null; at = reached.get(at) ?? null) chain.unshift({ ...at.frame });
    return chain;
  }

  /** Whether a line only closes a block: time on it belongs to code on that line of another file. */
  isBracketsOnly({ url }: V8CallFrame, line: number): boolean {
    const text = remembered(this.#lines, url, () => (this.scripts.get(url)?.text ?? '').split('\n'))[line - 1];
    return text !== undefined && bracketsOnly.test(text);
  }

  /** Every function that may have become part of the one at a place, with its caller on the shortest way; null: that one itself. */
  #reachedFrom(place: string): Map<Ran, Ran | null> {
    const reached = new Map<Ran, Ran | null>();
    let callers: (Ran | null)[] = [null];
    for (let depth = 0; depth < mostCalls && callers.length > 0; depth += 1) {
      const next: Ran[] = [];
      for (const caller of callers) {
        for (const callee of this.#calleesOf(caller === null ? place : placeOf(caller.frame))) {
          if (placeOf(callee.frame) === place || reached.has(callee) || reached.size >= mostReached) continue;
          reached.set(callee, caller);
          next.push(callee);
        }
      }
      callers = next;
    }
    return reached;
  }

  #calleesOf(place: string): Ran[] {
    const caller = this.#byPlace.get(place);
    const named = (caller?.calls ?? []).flatMap(({ name, isMethod }) => {
      const all = this.#byName.get(name) ?? [];
      const near = all.filter(({ script }) => script === caller?.script);
      // A plain name means the function of the same file where there is one.
      return isMethod || near.length === 0 ? all : near;
    });
    return [...(this.#seen.get(place) ?? []), ...named];
  }
}

function placeOf({ url, lineNumber, columnNumber }: V8CallFrame): string {
  return `${lineNumber}:${columnNumber}:${url}`;
}

function callsIn(body: string): Ran['calls'] {
  const found = new Map<string, Ran['calls'][number]>();
  for (const [, dot, name] of body.matchAll(call)) {
    if (name !== undefined) found.set(`${dot === undefined ? '' : '.'}${name}`, { name, isMethod: dot !== undefined });
  }
  return [...found.values()];
}
