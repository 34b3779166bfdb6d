/** Longest function that is searched; a longer one is treated as one without a known end. */
const maxLength = 4_000_000;

/**
 * Where the function of JavaScript that V8 says begins at `start` ends (offset behind its last character), or null where that is unknown. V8 gives the `(` of
 * the parameters, the one parameter of an arrow function, or `class`. Reads tokens and not grammar: it knows strings, templates, comments and regular
 * expressions, and counts brackets.
 */
export function functionEnd(text: string, start: number): number | null {
  const scanner = new Scanner(text, start);
  if (text.startsWith('class', start)) return scanner.to('{') ? scanner.group() : null;
  scanner.skipBlank();
  if (scanner.peek() === '(') {
    if (scanner.group() === null) return null;
  } else if (!scanner.word()) return null;
  scanner.skipBlank();
  if (text.startsWith('=>', scanner.at)) {
    scanner.at += 2;
    scanner.skipBlank();
    if (scanner.peek() !== '{') return scanner.expression();
  }
  return scanner.peek() === '{' ? scanner.group() : null;
}

const regexBefore = new Set('(,=:[!&|?{};+-*%~^<>'.split(''));
const regexAfterWord = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await)$/;

class Scanner {
  /** The last character that was code and no blank. */
  #before = '';
  readonly #limit: number;

  constructor(
    private readonly text: string,
    public at: number,
  ) {
    this.#limit = Math.min(text.length, at + maxLength);
  }

  peek(): string {
    return this.text[this.at] ?? '';
  }

  word(): boolean {
    const match = /[\w$\u0080-\uffff]+/y;
    match.lastIndex = this.at;
    const found = match.exec(this.text)?.[0];
    if (found === undefined) return false;
    this.at += found.length;
    return true;
  }

  skipBlank(): void {
    for (; this.at < this.#limit; this.at += 1) {
      if (/\s/.test(this.peek())) continue;
      if (!this.#comment()) return;
      this.at -= 1;
    }
  }

  /** Goes to the next such character of code. */
  to(wanted: string): boolean {
    for (; this.at < this.#limit; this.#step()) if (this.peek() === wanted) return true;
    return false;
  }

  /** From an opening bracket to behind the one that closes it. */
  group(): number | null {
    let depth = 0;
    while (this.at < this.#limit) {
      const char = this.peek();
      if (char === '(' || char === '[' || char === '{') depth += 1;
      if (char === ')' || char === ']' || char === '}') depth -= 1;
      this.#step();
      if (depth === 0) return this.at;
    }
    return null;
  }

  /** To the end of an expression: a comma, a semicolon or a bracket that closes what it is in. */
  expression(): number | null {
    while (this.at < this.#limit) {
      const char = this.peek();
      if (char === ',' || char === ';' || char === ')' || char === ']' || char === '}') return this.at;
      if (char === '(' || char === '[' || char === '{') {
        if (this.group() === null) return null;
      } else this.#step();
    }
    return this.at === this.text.length ? this.at : null;
  }

  /** Over one character of code, or over a whole string, template, comment or regular expression. */
  #step(): void {
    const char = this.peek();
    if (char === '"' || char === "'") this.#quoted(char);
    else if (char === '`') this.#template();
    else if (char === '/' && this.#comment()) return;
    else if (char === '/' && this.#regexMayStand()) this.#regex();
    else this.at += 1;
    if (!/\s/.test(char)) this.#before = char;
  }

  #regexMayStand(): boolean {
    if (this.#before === '' || regexBefore.has(this.#before)) return true;
    return regexAfterWord.test(this.text.slice(Math.max(0, this.at - 20), this.at).trimEnd());
  }

  #comment(): boolean {
    const end = this.text.startsWith('//', this.at) ? '\n' : this.text.startsWith('/*', this.at) ? '*/' : null;
    if (end === null) return false;
    const found = this.text.indexOf(end, this.at + 2);
    this.at = found === -1 ? this.#limit : found + end.length;
    return true;
  }

  #quoted(quote: string): void {
    for (this.at += 1; this.at < this.#limit; this.at += 1) {
      if (this.peek() === '\\') this.at += 1;
      else if (this.peek() === quote) break;
    }
    this.at += 1;
  }

  #regex(): void {
    let inClass = false;
    for (this.at += 1; this.at < this.#limit; this.at += 1) {
      const char = this.peek();
      if (char === '\\') this.at += 1;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '\n' || (char === '/' && !inClass)) break;
    }
    this.at += 1;
  }

  #template(): void {
    for (this.at += 1; this.at < this.#limit; this.at += 1) {
      if (this.peek() === '\\') this.at += 1;
      else if (this.peek() === '`') break;
      else if (this.text.startsWith('${', this.at)) {
        this.at += 1;
        if (this.group() === null) return;
        this.at -= 1;
      }
    }
    this.at += 1;
  }
}
