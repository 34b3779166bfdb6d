import { nowUs } from '../clock.ts';
import type { Durations } from '../durations.ts';
import { quietly } from '../objects.ts';
import type { Connection, Parts, Statement } from './postgresJsParts.ts';

interface Asked {
  /** Null: a caller that reserves the connection, which postgres.js lends while it is still at work. */
  readonly statement: Statement | null;
  readonly startUs: number;
  /** It is its turn: what the connection does is for it. */
  served: boolean;
}

/** What a connection was given to do, the first of which it does: postgres.js sends more statements before the first is answered. */
class Loan {
  readonly asked: Asked[] = [];
  sinceUs = 0;
  /** A transaction has it, or a caller that reserved it. */
  kept = false;
}

/**
 * Times statements of a pool of postgres.js: a wait lasts from when the pool gets a statement until a connection has done what it was given before,
 * a hold from then until it is answered, or until the end of its transaction.
 */
export class PostgresJsLoans {
  readonly #loans = new WeakMap<Connection, Loan>();
  readonly #startUs = new WeakMap<Statement, number>();

  constructor(
    private readonly acquire: Durations,
    private readonly hold: Durations,
  ) {}

  /** Listens to the pool's queues. */
  follow({ queues, waiting }: Parts): void {
    listen(waiting, (statement) => this.#queued(statement));
    listen(queues.open, (connection) => this.#end(connection));
    listen(queues.closed, (connection) => this.#end(connection));
    listen(queues.reserved, (connection) => this.#reserved(connection));
  }

  /** Callers that wait, besides those in the pool's own queue. */
  waitingFor(connections: readonly Connection[]): number {
    return connections.reduce((sum, one) => sum + (this.#loans.get(one)?.asked.filter(({ served }) => !served).length ?? 0), 0);
  }

  /** Whether a caller has reserved the connection; it says so itself only a moment after it was lent. */
  isKept(connection: Connection): boolean {
    const loan = this.#loans.get(connection);
    return Boolean(connection.reserved) || loan?.kept === true || loan?.asked.some(({ statement }) => statement === null) === true;
  }

  /** To be called before a connection is opened for a statement. */
  readonly connecting = quietly((connection: Connection, statement: Statement): void => {
    const asked = this.#ask(connection, statement);
    // Its turn comes when the connection is open; only this event reports that.
    if (asked !== null) onceActive(statement, () => this.#serve(connection, asked));
  }, undefined);

  /** To be called before a connection is given a statement. */
  readonly executing = quietly((connection: Connection, statement: Statement): void => {
    const loan = this.#loanOf(connection);
    if (this.isKept(connection) && loan.asked.at(-1)?.statement == null) {
      // The statement is of the one that keeps it, or of the next one, which got it at once.
      if (connection.reserved) return;
      this.#end(connection);
    }
    this.#endCursor(connection);
    if (statement.cancelled) return;
    const asked = this.#ask(connection, statement);
    if (asked !== null && loan.asked.length === 1) this.#serve(connection, asked);
  }, undefined);

  #loanOf(connection: Connection): Loan {
    let loan = this.#loans.get(connection);
    if (loan === undefined) this.#loans.set(connection, (loan = new Loan()));
    return loan;
  }

  #queued(statement: Statement): void {
    if (this.#startUs.has(statement)) return;
    this.#startUs.set(statement, nowUs());
    const { reserve } = statement;
    if (typeof reserve !== 'function') return;
    const lend = quietly((connection: Connection) => this.#lend(connection, this.#startUs.get(statement) ?? nowUs()), undefined);
    statement.reserve = (connection) => {
      lend(connection);
      return reserve(connection);
    };
  }

  #ask(connection: Connection, statement: Statement): Asked | null {
    const { resolve, reject } = statement;
    if (statement.reserve !== undefined || resolve === undefined || reject === undefined) return null;
    const asked: Asked = { statement, startUs: this.#startUs.get(statement) ?? nowUs(), served: false };
    this.#loanOf(connection).asked.push(asked);
    const answered = quietly(() => this.#answered(connection, asked), undefined);
    statement.resolve = (answer) => {
      // The stream of a COPY is given away before it begins.
      if (!isStream(answer)) answered();
      return resolve(answer);
    };
    statement.reject = (error) => {
      answered();
      return reject(error);
    };
    return asked;
  }

  #serve(connection: Connection, asked: Asked): void {
    if (asked.served) return;
    const [loan, time] = [this.#loanOf(connection), nowUs()];
    asked.served = true;
    this.acquire.record(time - asked.startUs);
    loan.sinceUs = time;
    if (asked.statement !== null) return;
    loan.kept = true;
    loan.asked.length = 0;
  }

  #answered(connection: Connection, asked: Asked): void {
    const loan = this.#loanOf(connection);
    const index = loan.asked.indexOf(asked);
    if (index < 0) return;
    // Statements are answered in turn: what is before it is over, too.
    loan.asked.splice(0, index + 1);
    if (!asked.served) return;
    // A transaction takes the connection when it is sent, behind what was sent before it, and lets nothing else behind itself.
    if (connection.reserved && loan.asked.length === 0) loan.kept = true;
    else {
      this.hold.record(nowUs() - loan.sinceUs);
      loan.sinceUs = 0;
      const [next] = loan.asked;
      if (next !== undefined) this.#serve(connection, next);
    }
  }

  /** A caller has reserved the connection, as soon as it has done what it was given before. */
  #lend(connection: Connection, startUs: number): void {
    if (this.#loanOf(connection).kept) this.#end(connection);
    this.#endCursor(connection);
    const { asked } = this.#loanOf(connection);
    const one: Asked = { statement: null, startUs, served: false };
    asked.push(one);
    if (asked.length === 1) this.#serve(connection, one);
  }

  /** A cursor that is read on replaces what it is answered with. */
  #endCursor(connection: Connection): void {
    const [first] = this.#loanOf(connection).asked;
    if (first?.served === true && first.statement?.active === false) this.#answered(connection, first);
  }

  /** One that was idle was reserved. A transaction, which comes here after each of its statements, has its connection already. */
  #reserved(connection: Connection): void {
    const loan = this.#loanOf(connection);
    if (loan.sinceUs === 0 && loan.asked.length === 0) this.#lend(connection, nowUs());
  }

  #end(connection: Connection): void {
    const loan = this.#loanOf(connection);
    if (loan.sinceUs !== 0) this.hold.record(nowUs() - loan.sinceUs);
    loan.sinceUs = 0;
    loan.kept = false;
    loan.asked.length = 0;
  }
}

/** Is notified of what is put into a queue. */
export function listen<Item>(queue: { push(item: Item): Item }, heard: (item: Item) => void): void {
  const [push, quiet] = [queue.push, quietly(heard, undefined)];
  queue.push = (item) => {
    const pushed = push(item);
    quiet(item);
    return pushed;
  };
}

/** Calls back when a statement becomes the one that its connection works for, and leaves the statement as it was. */
function onceActive(statement: Statement, begun: () => void): void {
  let active = statement.active;
  const quiet = quietly(begun, undefined);
  Object.defineProperty(statement, 'active', {
    configurable: true,
    enumerable: true,
    get: () => active,
    set: (value: boolean) => {
      active = value;
      if (!value) return;
      Object.defineProperty(statement, 'active', { value, writable: true, configurable: true, enumerable: true });
      quiet();
    },
  });
}

function isStream(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && typeof (answer as { pipe?: unknown }).pipe === 'function';
}
