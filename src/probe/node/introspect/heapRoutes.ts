import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import type { Unknowns } from '../objects.ts';
import { inspected } from '../scopes.ts';
import { type FoundRoute, expressPaths } from './expressRoutes.ts';
import { type PatternPair, matchedPaths, patternPairs } from './heapPatterns.ts';
import { tableRoutes, tableWords } from './heapTables.ts';
import { type Procedures, procedureRoutes, proceduresOf } from './procedures.ts';

const mostRoutes = 500;
const mostWords = 300;
const mostPairs = 500;
const mostRouters = 100;
/** Of CPU time: on a busy machine it is looked through no less. */
const longestMs = 3_000;
/** Where the objects of the heap are handed over, since V8 gives them to a script only. */
const desk = Symbol.for('benchside.look.objects');
const pathNames = ['fullPath', 'path', 'url', 'route', 'pattern'] as const;
const methodNames = ['method', 'methods', 'verb'] as const;
/** The handler of a route is next to its path in one object; a request that was sent has none. */
const answerNames = [
  'handler',
  'handlers',
  'handle',
  'stack',
  'callback',
  'action',
  'fn',
  'target',
  'chain',
  'settings',
  '_handler',
  'middleware',
] as const;
const verbs = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ALL', '*', '']);

interface Found {
  objectId?: string;
}

export interface HeapRoutes {
  known: FoundRoute[];
  guessed: FoundRoute[];
  /** Names under which functions are kept in tables without a prototype, which hold nothing else. */
  words: string[];
}

/**
 * What in this process looks like a route, whichever framework made it: an object with a path, a method and something that answers, or with a path and a
 * regular expression that matches it. Where it is mounted is not known, so that each is only worth a question. Of Express, the applications with their
 * places, those within others among them.
 */
export function heapRoutes(): HeapRoutes {
  const [known, guessed] = [new Map<string, FoundRoute>(), new Map<string, FoundRoute>()];
  const words = new Set<string>();
  const procedures: Procedures[] = [];
  const pairs: PatternPair[] = [];
  withObjects((objects) => {
    forEachInTime(objects, (object) => {
      if (typeof object === 'function') for (const one of mountedExpress(object)) known.set(`${one.method} ${one.path}`, one);
      else for (const one of routesOf(object)) guessed.set(`${one.method} ${one.path}`, one);
      return guessed.size < mostRoutes;
    });
    forEachInTime(objects, (object) => {
      for (const one of tableRoutes(object)) guessed.set(`${one.method} ${one.path}`, one);
      for (const word of tableWords(object)) words.add(word);
      if (procedures.length < mostRouters) procedures.push(...proceduresOf(object));
      if (pairs.length < mostPairs) pairs.push(...patternPairs(object));
      return guessed.size < mostRoutes && words.size < mostWords;
    });
  });
  for (const one of procedureRoutes(procedures)) guessed.set(`${one.method} ${one.path}`, one);
  // These first: a table may be one of files.
  const matched = matchedPaths(pairs).map((path): [string, FoundRoute] => [`GET ${path}`, { method: 'GET', path, handler: null }]);
  return { known: [...known.values()], guessed: [...new Map([...matched, ...guessed]).values()], words: [...words] };
}

/** As long as there is time, and `use` says that it has not enough. */
function forEachInTime(objects: readonly unknown[], use: (object: unknown) => boolean): void {
  const before = process.cpuUsage();
  for (let at = 0; at < objects.length; at += 1) {
    if (at % 10_000 === 0) {
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1_000 > longestMs) return;
    }
    if (!use(objects[at])) return;
  }
}

/** Passes all objects of this process to `use`, through V8’s inspector. */
function withObjects(use: (objects: readonly unknown[]) => void): void {
  const holder = globalThis as Unknowns;
  const objectGroup = 'look';
  holder[desk] = use;
  try {
    inspected((ask) => {
      const { objectId: prototypeObjectId } = ask('Runtime.evaluate', { expression: 'Object.prototype', objectGroup })['result'] as Found;
      const { objectId } = ask('Runtime.queryObjects', { prototypeObjectId, objectGroup })['objects'] as Found;
      const functionDeclaration = 'function () { globalThis[Symbol.for("benchside.look.objects")](this); }';
      ask('Runtime.callFunctionOn', { objectId, functionDeclaration });
      ask('Runtime.releaseObjectGroup', { objectGroup });
    });
  } finally {
    Reflect.deleteProperty(holder, desk);
  }
}

/** A property that is a value: a getter, which would run code, is not read. */
function valueOf(object: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(object, name)?.value as unknown;
}

function routesOf(object: unknown): FoundRoute[] {
  if (typeof object !== 'object' || object === null || types.isProxy(object) || object instanceof EventEmitter) return [];
  const methods = methodsOf(object);
  if (methods.length === 0) return [];
  const path = pathNames.map((name) => valueOf(object, name)).find((value) => typeof value === 'string' && value !== '');
  if (typeof path !== 'string' || path.length > 300 || !/^\/?[\w.~:{}<>/[\]-]*$/.test(path)) return [];
  // A parameter without its name: a step of a router’s tree.
  if (/:(?:\/|$)/.test(path)) return [];
  if (!answerNames.some((name) => isAnswer(valueOf(object, name)))) return [];
  return methods.map((method) => ({ method, path: path.startsWith('/') ? path : `/${path}`, handler: null }));
}

function methodsOf(object: object): string[] {
  for (const name of methodNames) {
    const value = valueOf(object, name);
    const all: unknown[] =
      typeof value === 'string' ? [value] : Array.isArray(value) ? value : name === 'methods' && isRecord(value) ? Object.keys(value) : [];
    const known = all.flatMap((one) => (typeof one === 'string' && verbs.has(one.toUpperCase()) ? [one.toUpperCase()] : []));
    if (known.length > 0) return known.map((one) => (one === '*' || one === '' || one === 'ALL' ? 'GET' : one));
  }
  return [];
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !types.isProxy(value);
}

function isAnswer(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'string' && value !== '') || isRecord(value);
}

/** The routes of an Express application, below those that it is mounted in. */
function mountedExpress(app: object): FoundRoute[] {
  if (types.isProxy(app) || typeof valueOf(app, 'mountpath') !== 'string' || typeof valueOf(app, 'settings') !== 'object') return [];
  const prefix = prefixOf(app, 0);
  return prefix === null ? [] : expressPaths(app).routes.map((one) => ({ ...one, path: `${prefix}${one.path}` }));
}

/** The mount point of an application, as `app.path()` has it; null where one of them is mounted at several places. */
function prefixOf(app: object, depth: number): string | null {
  const parent = valueOf(app, 'parent');
  if (typeof parent !== 'function') return '';
  const own = valueOf(app, 'mountpath');
  const above = depth > 8 ? null : prefixOf(parent, depth + 1);
  return typeof own === 'string' && above !== null ? above + (own === '/' ? '' : own) : null;
}
