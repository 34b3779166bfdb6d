import { statSync } from 'node:fs';
import { types } from 'node:util';
import type { FoundRoute } from './expressRoutes.ts';

const mostNames = 300;
const mostMembers = 40;
/** `/orders/:id` or `/orders/[id]`, or with the method before it. */
const pathName = /^(?:(GET|POST|PUT|PATCH|DELETE|ALL) +)?(\/?[\w.~:{}<>/@[\]-]*)$/;
const word = /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/;

/** The routes of a table, an object or a Map, all of whose names are paths, or methods with paths, and all of whose values can answer. */
export function tableRoutes(table: unknown): FoundRoute[] {
  if (typeof table !== 'object' || table === null || types.isProxy(table)) return [];
  const entries = types.isMap(table) ? mapEntries(table) : plainEntries(table);
  const found: FoundRoute[] = [];
  for (const [name, value] of entries) {
    const [, method, path = ''] = pathName.exec(name) ?? [];
    if ((method === undefined && !path.startsWith('/')) || path === '' || !isAnswer(value)) return [];
    found.push({
      method: method === undefined || method === 'ALL' ? 'GET' : method,
      path: path.startsWith('/') ? path : `/${path}`,
      handler: null,
    });
  }
  // What is kept of files of this machine, such as modules that were loaded, is named by their paths, too.
  return found.slice(0, 5).some(({ path }) => isFile(path)) ? [] : found;
}

/** The names of those tables among the members of an object that have no prototype, and hold functions alone. */
export function tableWords(holder: unknown): string[] {
  if (typeof holder !== 'object' || holder === null || types.isProxy(holder) || Object.getPrototypeOf(holder) !== Object.prototype)
    return [];
  const members = Object.keys(holder);
  if (members.length > mostMembers) return [];
  return members.flatMap((member) => {
    const table: unknown = Object.getOwnPropertyDescriptor(holder, member)?.value;
    if (typeof table !== 'object' || table === null || types.isProxy(table) || types.isModuleNamespaceObject(table)) return [];
    if (Object.getPrototypeOf(table) !== null) return [];
    const names = Object.keys(table);
    const holdsFunctions = names.every(
      (name) => typeof Object.getOwnPropertyDescriptor(table, name)?.value === 'function' && word.test(name),
    );
    return names.length <= mostNames && holdsFunctions ? names : [];
  });
}

function mapEntries(table: Map<unknown, unknown>): [string, unknown][] {
  const [first] = table.keys();
  if (typeof first !== 'string' || table.size > mostNames) return [];
  return [...table].map(([name, value]) => [typeof name === 'string' ? name : '', value]);
}

function plainEntries(table: object): [string, unknown][] {
  if (Object.getPrototypeOf(table) !== Object.prototype) return [];
  // Most objects are none, and their first name says so.
  for (const name in table) {
    if (!pathName.test(name) || !/[/ ]/.test(name)) return [];
    break;
  }
  const names = Object.keys(table);
  return names.length > mostNames ? [] : names.map((name) => [name, Object.getOwnPropertyDescriptor(table, name)?.value]);
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null) || (typeof value === 'string' && value !== '');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
