import { sqlSpans } from './sqlStatements.ts';

/** An SQL file as a server reads it. */
export interface ServerText {
  /** The statements, each on the line on which the file has it. */
  text: string;
  /** What each `COPY … FROM stdin` reads, in the order of these statements. */
  copied: string[];
  /** Commands of psql that were left out. */
  left: string[];
  /** A command of psql that cannot be left out, and its line, from 1. */
  refused: { command: string; line: number } | null;
}

/** Commands that choose where psql works, or what it prints. All others read or write something, or decide what is executed. */
const idle =
  /^\\(?:c|connect|restrict|unrestrict|set|unset|echo|qecho|warn|timing|pset|encoding|conninfo|x|a|t|H|h|\?|l\+?|list|d[A-Za-z]*[+S]*)(?=\s|;|$)/;
const readsInput = /^copy\b[^]*\bfrom\s+stdin\b/i;
const endOfInput = /^\\\.[ \t]*\r?$/m;

/** Reads an SQL file as psql does, which is what most of them are written for, and what pg_dump writes for. */
export function serverText(file: string): ServerText {
  const pieces: string[] = [];
  const copied: string[] = [];
  const left: string[] = [];
  let taken = 0;
  const leaveOut = (start: number, end: number): void => {
    pieces.push(file.slice(taken, start), file.slice(start, end).replace(/[^\n]+/g, ''));
    taken = end;
  };
  for (let from: number | null = 0; from !== null;) {
    const at: number = from;
    from = null;
    for (const { start, end, ofPsql } of sqlSpans(file, at)) {
      const span = file.slice(start, end);
      if (ofPsql === true) {
        const command = span.trim();
        if (!idle.test(command)) return { text: file, copied, left, refused: { command, line: file.slice(0, start).split('\n').length } };
        left.push(command);
        leaveOut(start, end);
      } else if (readsInput.test(span)) {
        const begin = file.indexOf('\n', end) + 1;
        if (begin === 0) continue;
        const length = file.slice(begin).search(endOfInput);
        const last = length === -1 ? file.length : begin + length;
        copied.push(file.slice(begin, last));
        const behind = file.indexOf('\n', last);
        from = behind === -1 ? file.length : behind;
        leaveOut(begin, from);
        break;
      }
    }
  }
  return { text: [...pieces, file.slice(taken)].join(''), copied, left, refused: null };
}
