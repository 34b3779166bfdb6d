import { loadInspector } from './inspectorBridge.ts';
import type { Unknowns } from './objects.ts';

/** Under which a function is handed to the inspector, and what it finds handed back: for as long as one call takes. */
const handOver = '__benchside_scopes';
const maxScopes = 40;

/** Asks the inspector, which within its own process answers before this returns. @throws Error when it refuses */
type Ask = (method: string, params: object) => Unknowns;

/** Lends `work` a session of this process's inspector, which is closed again afterwards; null where this Node has none. */
export function inspected<Result>(work: (ask: Ask) => Result): Result | null {
  const inspector = loadInspector();
  if (inspector === null) return null;
  const session = new inspector.Session();
  session.connect();
  try {
    return work((method, params) => {
      let answer: Unknowns | null = null;
      session.post(method, params, (error: Error | null, result?: object) => {
        if (error === null) answer = (result ?? {}) as Unknowns;
      });
      if (answer === null) throw new Error(`The inspector does not answer ${method}.`);
      return answer;
    });
  } finally {
    session.disconnect();
  }
}

/**
 * The variables that functions can see outside of themselves, each scope as an object by their names, the innermost first; those of the whole
 * program are left out. The inspector of this process is asked, without a debugger: about a millisecond.
 */
export class ScopeReader {
  constructor(private readonly ask: Ask) {}

  /** @throws Error when the inspector refuses */
  scopesOf(seen: object): Unknowns[] {
    const found: Unknowns[] = [];
    const handed = { seen, take: (scope: Unknowns) => void found.push(scope) };
    Object.defineProperty(globalThis, handOver, { value: handed, configurable: true });
    try {
      const { objectId } = this.ask('Runtime.evaluate', { expression: `globalThis.${handOver}.seen` })['result'] as { objectId?: string };
      const inner = this.#properties(objectId)['internalProperties'] as { name: string; value?: { objectId?: string } }[] | undefined;
      const list = inner?.find(({ name }) => name === '[[Scopes]]')?.value?.objectId;
      const scopes = this.#properties(list)['result'] as { value?: { objectId?: string; description?: string } }[] | undefined;
      for (const { value } of (scopes ?? []).slice(0, maxScopes)) {
        if (value?.objectId === undefined || value.description === 'Global') continue;
        this.ask('Runtime.callFunctionOn', {
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
    return objectId === undefined ? {} : this.ask('Runtime.getProperties', { objectId, ownProperties: true });
  }
}
