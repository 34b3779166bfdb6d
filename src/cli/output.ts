import { jsonText, onOneLine, withoutControls } from '../model/domain/plainText.ts';

/** What a CI system executes as a command when it is in the log of a job: GitHub at the beginning of a line, Azure and TeamCity anywhere. */
const githubCommand = /^([^\S\n]*:)(?=:[a-z][a-z-]*(?: |::))/gim;
const otherCommand = /#(?=#(?:vso|teamcity)?\[)/gi;

/** Words as a terminal or a job's log may have them. */
function words(text: string): string {
  return withoutControls(text).replace(githubCommand, '$1 ').replace(otherCommand, '# ');
}

/** Where bytes go: standard output, standard error. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(data: string | Uint8Array, done?: () => void): unknown;
}

/**
 * The only way out of the program to a terminal or a pipe. Names of a run, of a recording, of benchside.json and what a server printed are somebody
 * else's; here they lose what a terminal would carry out.
 */
export class Output {
  /** The line of a terminal that is rewritten; null where standard error is none. */
  readonly line: StatusLine | null;

  constructor(
    private readonly out: Stream,
    private readonly err: Stream,
  ) {
    this.line = err.isTTY === true ? new StatusLine(err) : null;
  }

  /** The characters of a line on standard output; undefined where it is no terminal. */
  get columns(): number | undefined {
    return this.out.columns;
  }

  /** Words on standard output. */
  readonly print = (text: string): void => void this.out.write(`${words(text)}\n`);

  /** One JSON document on standard output; it says the same to a program, and nothing to a terminal. */
  readonly json = (value: unknown): void => void this.out.write(`${jsonText(value)}\n`);

  /** Words on standard error, in place of the line that is rewritten. */
  readonly tell = (text: string): void => {
    this.line?.clear();
    this.err.write(`${words(text)}\n`);
  };

  /** A document that is made for a file, on standard output: to the byte for a pipe, as words for a terminal. Done when it is written. */
  readonly document = (content: string | Uint8Array): Promise<void> => {
    const text = (): string => withoutControls(typeof content === 'string' ? content : Buffer.from(content).toString('utf8'));
    return new Promise((resolve) => this.out.write(this.out.isTTY === true ? text() : content, () => resolve()));
  };
}

/** One line of a terminal that is written over again and again. */
export class StatusLine {
  #shown = false;

  constructor(private readonly terminal: Stream) {}

  /** Shows this text, as much of it as the terminal is wide. */
  show(text: string): void {
    const width = Math.max(20, (this.terminal.columns ?? 80) - 1);
    this.terminal.write(`${emptied}${onOneLine(text).slice(0, width)}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.terminal.write(emptied);
    this.#shown = false;
  }
}

const emptied = '\r\u001b[2K';
