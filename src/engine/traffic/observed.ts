/** What a request was answered with, where the source has it. Names of headers are lower case. */
export interface ObservedAnswer {
  headers: Readonly<Record<string, string>>;
  setCookies: readonly string[];
  body: string | null;
}

/** What goes beyond the first line of a request. Names of headers are lower case. */
export interface ObservedDetails {
  headers: Readonly<Record<string, string>>;
  body: string | null;
  answer: ObservedAnswer | null;
}

export interface TrafficRow {
  method: string;
  /** Path and query, as they were sent; `{name}` is a part that the source leaves open. */
  target: string;
  /** ms since 1970; null where the source has no times. */
  atMs: number | null;
  status: number | null;
  details: ObservedDetails | undefined;
}

/** As a source has it; without a method or a target it is no request. */
export type ObservedRequest = { [Field in keyof TrafficRow]?: TrafficRow[Field] | undefined } & {
  /** Whose it was, as far as the source says: requests of one key belong to one user. */
  session: string;
};

const most = { rows: 5_000_000, targets: 1_200_000, sessions: 500_000, detailCharacters: 64 * 1024 * 1024 } as const;
/** A user who comes back after so long begins a new session. */
const sessionGapMs = 30 * 60_000;
const longestTarget = 4096;
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Requests in columns: a million of them take some 30 MB. Requests beyond the limits are counted and not kept. */
export class ObservedTraffic {
  readonly #targets = new Map<string, number>();
  readonly #targetList: string[] = [];
  readonly #keys = new Map<string, { session: number; atMs: number | null }>();
  readonly #details = new Map<number, ObservedDetails>();
  #targetOf = new Int32Array(1024);
  #sessionOf = new Int32Array(1024);
  #at = new Float64Array(1024);
  #status = new Int16Array(1024);
  #rows = 0;
  #sessions = 0;
  #detailCharacters = 0;
  /** Lines or entries that are no request. */
  notUnderstood = 0;
  /** Requests that were beyond a limit. */
  left = 0;

  get rows(): number {
    return this.#rows;
  }

  get sessions(): number {
    return this.#sessions;
  }

  /** What was asked for, each once: `METHOD target`. */
  get targets(): readonly string[] {
    return this.#targetList;
  }

  add({ method = '', target = '', atMs = null, status, session, details }: ObservedRequest): void {
    if (!methods.has(method) || !target.startsWith('/') || target.length > longestTarget) {
      this.notUnderstood += 1;
      return;
    }
    const targetId = this.#targetId(`${method} ${target}`);
    const sessionId = this.#sessionId(session, atMs);
    if (this.#rows >= most.rows || targetId === null || sessionId === null) {
      this.left += 1;
      return;
    }
    if (this.#rows === this.#at.length) this.#grow();
    const row = this.#rows;
    this.#rows += 1;
    this.#targetOf[row] = targetId;
    this.#sessionOf[row] = sessionId;
    this.#at[row] = atMs ?? NaN;
    this.#status[row] = status ?? 0;
    if (details === undefined) return;
    this.#detailCharacters += (details.body?.length ?? 0) + (details.answer?.body?.length ?? 0);
    if (this.#detailCharacters <= most.detailCharacters) this.#details.set(row, details);
    else this.left += 1;
  }

  row(index: number): TrafficRow {
    const text = this.#targetList[this.#targetOf[index] ?? 0] ?? '';
    const blank = text.indexOf(' ');
    const at = this.#at[index] ?? NaN;
    const status = this.#status[index] ?? 0;
    return {
      method: text.slice(0, blank),
      target: text.slice(blank + 1),
      atMs: Number.isNaN(at) ? null : at,
      status: status === 0 ? null : status,
      details: this.#details.get(index),
    };
  }

  /** Whether more is known than its first line. */
  hasDetails(index: number): boolean {
    return this.#details.has(index);
  }

  targetIdOf(index: number): number {
    return this.#targetOf[index] ?? 0;
  }

  sessionOf(index: number): number {
    return this.#sessionOf[index] ?? 0;
  }

  statusOf(index: number): number | null {
    const status = this.#status[index] ?? 0;
    return status === 0 ? null : status;
  }

  /** ms since 1970; NaN where the source has no times. */
  atOf(index: number): number {
    return this.#at[index] ?? NaN;
  }

  #targetId(text: string): number | null {
    const known = this.#targets.get(text);
    if (known !== undefined) return known;
    if (this.#targetList.length >= most.targets) return null;
    const id = this.#targetList.length;
    this.#targets.set(text, id);
    this.#targetList.push(text);
    return id;
  }

  #sessionId(key: string, atMs: number | null): number | null {
    const known = this.#keys.get(key);
    if (known !== undefined && (atMs === null || known.atMs === null || Math.abs(atMs - known.atMs) <= sessionGapMs)) {
      known.atMs = atMs;
      return known.session;
    }
    if (this.#sessions >= most.sessions) return null;
    const session = this.#sessions;
    this.#sessions += 1;
    this.#keys.set(key, { session, atMs });
    return session;
  }

  #grow(): void {
    const size = this.#at.length * 2;
    const grown = <T extends Int32Array | Float64Array | Int16Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#targetOf = grown(this.#targetOf, new Int32Array(size));
    this.#sessionOf = grown(this.#sessionOf, new Int32Array(size));
    this.#at = grown(this.#at, new Float64Array(size));
    this.#status = grown(this.#status, new Int16Array(size));
  }
}
