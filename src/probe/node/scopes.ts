import type Inspector from 'node:inspector';
import { loadInspector } from './inspectorBridge.ts';
import type { Unknowns } from './objects.ts';

/** Under which a function is handed to the inspector, and what it finds handed back: for as long as one call takes. */
const handOver = '__benchside_scopes';
const maxScopes = 40;

/**
 * The variables that functions can see outside of themselves, each scope as an object by their names, the innermost first; those of the whole
 * program are left out. The inspector of this process is asked, without a debugger, and the session is closed again: about a millisecond.
 */
export class ScopeReader {
  readonly #session: Inspector.Session;

  private constructor(session: Inspector.Session) {
    this.#session = session;
  }

  /** Lends `work` a reader; null where this Node has no inspector. */
  static use<Result>(work: (reader: ScopeReader) => Result): Result | null {
    const inspector = loadInspector();
    if (inspector === null) return null;
    const session = new inspector.Session();
    session.connect();
    try {
      return work(new ScopeReader(session));
    } finally {
      session.disconnect();
    }
  }

  /** @throws Error when the inspector refuses */
  scopesOf(seen: object): Unknowns[] {
    const found: Unknowns[] = [];
    const handed = { seen, take: (scope: Unknowns) => void found.push(scope) };
    Object.defineProperty(globalThis, handOver, { value: handed, configurable: true });
    try {
      const { objectId } = this.#ask('Runtime.evaluate', { expression: `globalThis.${handOver}.seen` })['result'] as { objectId?: string };
      const inner = this.#properties(objectId)['internalProperties'] as { name: string; value?: { objectId?: string } }[] | undefined;
      const list = inner?.find(({ name }) => name === '[[Scopes]]')?.value?.objectId;
      const scopes = this.#properties(list)['result'] as { value?: { objectId?: string; description?: string } }[] | undefined;
      for (const { value } of (scopes ?? []).slice(0, maxScopes)) {
        if (value?.objectId === undefined || value.description === 'Global') continue;
        this.#ask('Runtime.callFunctionOn', {
          objectId: value.objectId,
          // What the inspector shows as a scope is an object that has it.
          functionDeclaration: `function () { globalThis.${handOver}.take(this.object); }`,
        });
      }
    } finally {
      Reflect.deleteProperty(globalThis, handOver);
    }
    return found;
  }

  #properties(objectId: string | undefined): Unknowns {
    return objectId === undefined ? {} : this.#ask('Runtime.getProperties', { objectId, ownProperties: true });
  }

  /** A session within the process answers before `post` returns. */
  #ask(method: string, params: object): Unknowns {
    let answer: Unknowns | null = null;
    this.#session.post(method, params, (error: Error | null, result?: object) => {
      if (error === null) answer = (result ?? {}) as Unknowns;
    });
    if (answer === null) throw new Error(`The inspector does not answer ${method}.`);
    return answer;
  }
}
