import { attempt } from '../../model/domain/attempt.ts';

/** The place of a value in a text: from `start` to before `end`, counted in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

type Node = Span & ({ kind: 'object'; members: [string, Node][] } | { kind: 'array'; items: Node[] } | { kind: 'plain' });

const deepest = 60;

/**
 * Where benchside.json says the default of a target's setting, so that another can be written in its place with everything around it, comments
 * included, left as it is. Null where the text is no such file, or the target, the setting or its default is not in it.
 */
export function findDefault(text: string, targetId: string, setting: string): Span | null {
  const found = member(member(member(targetNode(text, targetId), 'settings'), setting), 'default');
  return found?.kind === 'plain' ? { start: found.start, end: found.end } : null;
}

/** Where benchside.json says the value of a variable that it gives a target. Null where it does not. */
export function findVariable(text: string, targetId: string, name: string): Span | null {
  const found = member(member(targetNode(text, targetId), 'env'), name);
  return found?.kind === 'plain' ? { start: found.start, end: found.end } : null;
}

function targetNode(text: string, targetId: string): Node | null {
  const targets = member(new Reader(text).document(), 'targets');
  if (targets?.kind !== 'array') return null;
  const isIt = (item: Node): boolean => {
    const id = member(item, 'id');
    return id !== null && text.slice(id.start, id.end) === JSON.stringify(targetId);
  };
  return targets.items.find(isIt) ?? null;
}

/** Where another target can be written: behind the last one of the file, or in its empty list. Null where the text is no such file. */
export function endOfTargets(text: string): { at: number; empty: boolean } | null {
  const targets = member(new Reader(text).document(), 'targets');
  if (targets?.kind !== 'array') return null;
  const last = targets.items.at(-1);
  return last === undefined ? { at: targets.start + 1, empty: true } : { at: last.end, empty: false };
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
  if (target?.kind !== 'object') return null;
  const env = member(target, 'env');
  const inside = env?.kind === 'object' ? env : target;
  const last = inside.members.at(-1);
  const at = last === undefined ? inside.start + 1 : last[1].end;
  return { at, opens: inside.start, empty: last === undefined, inside: inside === env ? 'env' : 'target' };
}

/** Each target of the file with its id, and where it begins. Those without an id are left out, as is all where the text is no such file. */
export function targetPlaces(text: string): { id: string; at: number }[] {
  const targets = member(new Reader(text).document(), 'targets');
  if (targets?.kind !== 'array') return [];
  return targets.items.flatMap((item) => {
    const id = member(item, 'id');
    return id?.kind !== 'plain' || text[id.start] !== '"' ? [] : [{ id: unquoted(text.slice(id.start, id.end)), at: item.start }];
  });
}

// Of a name that is there twice the last one counts.
function member(node: Node | null, name: string): Node | null {
  return node?.kind === 'object' ? (node.members.findLast(([key]) => key === name)?.[1] ?? null) : null;
}

/** Reads JSON with comments and trailing commas into positions. */
class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  document(): Node | null {
    return this.#value(0);
  }

  #value(depth: number): Node | null {
    this.#skip();
    const start = this.#at;
    const first = this.text[start];
    if (first === undefined || depth > deepest) return null;
    if (first === '{') return this.#object(start, depth);
    if (first === '[') return this.#array(start, depth);
    const plain = first === '"' ? this.#match(/"(?:[^"\\\n]|\\.)*"/y) : this.#match(/[-+.\w]+/y);
    return plain === null ? null : { kind: 'plain', start, end: this.#at };
  }

  #object(start: number, depth: number): Node | null {
    const members: [string, Node][] = [];
    this.#at += 1;
    while (!this.#closes('}')) {
      const raw = this.#match(/"(?:[^"\\\n]|\\.)*"/y);
      this.#skip();
      if (raw === null || this.#match(/:/y) === null) return null;
      const value = this.#value(depth + 1);
      if (value === null) return null;
      members.push([unquoted(raw), value]);
      this.#skip();
      this.#match(/,/y);
    }
    return this.text[this.#at - 1] === '}' ? { kind: 'object', members, start, end: this.#at } : null;
  }

  #array(start: number, depth: number): Node | null {
    const items: Node[] = [];
    this.#at += 1;
    while (!this.#closes(']')) {
      const value = this.#value(depth + 1);
      if (value === null) return null;
      items.push(value);
      this.#skip();
      this.#match(/,/y);
    }
    return this.text[this.#at - 1] === ']' ? { kind: 'array', items, start, end: this.#at } : null;
  }

  /** Steps over the closing bracket if it is next; also true at the end of the text. */
  #closes(bracket: string): boolean {
    this.#skip();
    if (this.text[this.#at] !== bracket) return this.#at >= this.text.length;
    this.#at += 1;
    return true;
  }

  #skip(): void {
    this.#match(/(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/|\uFEFF)*/y);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }
}

function unquoted(raw: string): string {
  return attempt(() => String(JSON.parse(raw)), raw);
}
