import diagnostics from 'node:diagnostics_channel';
import { types } from 'node:util';
import { noSuchPath } from '../../../model/domain/noSuchPath.ts';
import { quietly } from '../objects.ts';
import { member } from './expressRoutes.ts';

const mostPaths = 400;
const mostBeside = 200;
const segments = /^[\w.~:@-]+(?:\/[\w.~:@-]+)*$/;

/**
 * Where this process looks up a path that it does not have. A framework that keeps its routes in a table looks for the path, or for its next part, among
 * the names of an object. That name is defined on the prototype of all objects, so that its look-up is noticed. The other names of the object are then
 * paths, too.
 */
export class LookedUp {
  readonly #paths = new Set<string>();
  #asked = '';
  // Kept here: Node only holds it weakly.
  readonly #started = diagnostics.channel('http.server.request.start');

  watch(): void {
    this.#started.subscribe(
      quietly((message: unknown) => {
        const url = member(member(message, 'request'), 'url');
        this.#asked = typeof url === 'string' ? url : '';
      }, undefined),
    );
    const note = quietly((table: unknown) => this.#note(table), undefined);
    for (const name of [noSuchPath, `/${noSuchPath}`])
      Object.defineProperty(Object.prototype, name, {
        configurable: true,
        get(this: unknown) {
          note(this);
          return undefined;
        },
        // A table that keeps what it was asked for gets a property of its own, as it would without this one.
        set(this: unknown, value: unknown) {
          if ((typeof this === 'object' && this !== null) || typeof this === 'function')
            Object.defineProperty(this, name, { configurable: true, enumerable: true, writable: true, value });
        },
      });
  }

  paths(): string[] {
    return [...this.#paths];
  }

  #note(table: unknown): void {
    if (typeof table !== 'object' || table === null || types.isProxy(table) || !this.#asked.endsWith(`/${noSuchPath}`)) return;
    const above = this.#asked.slice(0, -noSuchPath.length - 1);
    const names = Object.keys(table);
    if (names.length > mostBeside) return;
    for (const name of names) {
      const answers: unknown = Object.getOwnPropertyDescriptor(table, name)?.value;
      const path = name.replace(/^\//, '');
      const canAnswer = typeof answers === 'function' || (typeof answers === 'object' && answers !== null);
      if (canAnswer && segments.test(path) && this.#paths.size < mostPaths) this.#paths.add(`${above}/${path}`);
    }
  }
}
