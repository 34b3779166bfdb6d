import type { FolderFiles } from './folderFiles.ts';
import type { SeenRoute } from './jsRoutes.ts';
import { ktorResources } from './ktorResources.ts';
import { joinPaths, mostSeenRoutes, pathRoute } from './pathRoute.ts';

/** Frameworks whose routes are calls with a path, in blocks and functions within each other. */
const routers =
  /\b(?:io\.javalin|io\.vertx\.(?:\w{1,20}\.)?ext\.web|io\.ktor\.(?:server|routing|application)|io\.jooby|spark\.(?:Spark|Service|Request)|com\.sun\.net\.httpserver)\b/;

// Each of these is tried at few places, and reads only so far from there.

const quote = String.raw`"(?:[^"\\\n]|\\.)*"`;
const bracket = new RegExp(String.raw`"""[^]*?"""|${quote}|'(?:[^'\\\n]|\\.)'|[(){}]`, 'g');
/** A call with the name of what it is called on. Without brackets it is one of Kotlin with nothing but a block. */
const call = /(?<![\w$@])(?:([A-Za-z_]\w{0,80})\s{0,80}\.\s{0,80})?([A-Za-z_]\w{0,80})(?:<([A-Z][\w.]{0,160})>)?\s?([({])/g;
const verbs: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);
const groups: ReadonlySet<string> = new Set(['path', 'route']);
const subRouters: ReadonlySet<string> = new Set(['mountSubRouter', 'subRouter']);
const notAServer = /^(?:\w*[Cc]lient|http|map|cache|headers|params|config|request|response|session|ctx|call|env|System|Files|Paths?)$/;
const keyword = /^(?:if|for|while|when|switch|catch|try|return|throw|new|super|this|synchronized|else|do|fun)$/;
/** The head of a function up to its block: of Kotlin, or of Java with its type. */
const head =
  /\b(?:fun\s{1,4}(?:<[^<>]{0,80}>\s{0,4})?(?:[\w<>?]{1,80}\.)?|([\w.<>]{1,120})\s{1,4})([A-Za-z_]\w{0,80})\s?\([^(){};]{0,500}\)\s{0,4}(?::\s?[\w.<>?]{1,80}\s{0,4})?(?:throws\s[\w.,\s]{1,200})?\{/g;
const typeName = /\b(?:class|object|interface)\s{1,4}(\w{1,80})/g;
const constant = /\b(?:(?:static\s+final|final\s+static)\s+String|const\s+val|val)\s+(\w{1,80})(?:\s*:\s*String)?\s*=\s*"([^"\\\n$]*)"/g;
const contextPath = /\bcontextPath\s*=\s*"(\/[^"]*)"/;
const piece = String.raw`(?:${quote}|[A-Za-z_][\w.]{0,120})`;
const written = new RegExp(String.raw`\s{0,80}(${piece}(?:\s{0,80}\+\s{0,80}${piece})*)\s{0,80}(?=[,)])`, 'y');
const vertxMethod = /\s{0,80}HttpMethod\.([A-Z]{3,10})\s{0,8},/y;
/** What a handler looks like, where a call has no path: a reference to a method, or a function. */
const handler = /^[^,"()]{0,120}::|^\s{0,80}(?:\(?\w{0,40}\)?\s?->|\{)/;
const handled = /^\s{0,80}"[^"\n]{0,300}"\s{0,80},\s{0,80}(?:[\w.]{1,120}::|\(?\w{0,40}\)?\s?->|new\s)/;
const lastName = /[(,\s]([A-Za-z_]\w{0,80})\s{0,80}$/;
const mostCalls = 5_000;
/** A function is called at fewer places. */
const mostMounts = 20;

interface Span {
  from: number;
  to: number;
}

interface Call extends Span {
  on: string;
  name: string;
  /** Where its arguments begin. */
  inside: number;
  /** Its first argument, where that is a text. */
  path: string | null;
  /** The type that is given to it, as a resource of Ktor. */
  typed: string | null;
  /** Its last argument, where that is a name. */
  last: string | null;
  hasBlock: boolean;
}

interface Source {
  file: string;
  content: string;
  /** By each opening bracket its closing one. */
  ends: ReadonlyMap<number, number>;
  calls: Call[];
  functions: (Span & { name: string })[];
  types: string[];
}

interface Sources {
  sources: readonly Source[];
  /** The paths below which each function is called, once that is known. */
  mounts: Map<Span, string[]>;
}

/** Texts that have a name; null where several have the same one. */
type Constants = ReadonlyMap<string, string | null>;

/** The routes that calls of Javalin, Vert.x, Ktor, Jooby, Spark and the JDK’s own server make, below the paths of the blocks that they are in and of what calls their function. */
export function routerRoutes(files: FolderFiles, all: readonly string[]): SeenRoute[] {
  const used = all.filter((file) => routers.test(files.source(file)));
  const constants = used.length === 0 ? new Map<string, null>() : constantsOf(files, all);
  const sources = used.map((file) => sourceOf(file, files.source(file), constants));
  const resources = ktorResources(sources);
  const everything: Sources = { sources, mounts: new Map() };
  const base = sources.map(({ content }) => contextPath.exec(content)?.[1]).find((found) => found !== undefined) ?? '';
  const seen: SeenRoute[] = [];
  for (const source of sources)
    for (const one of source.calls)
      for (const [method, path] of routesOf(source, one, resources))
        for (const prefix of prefixesOf(everything, source, one)) {
          const route = pathRoute(method, joinPaths(base, prefix, path));
          if (route !== null && seen.length < mostSeenRoutes)
            seen.push({ route, file: source.file, line: files.lineAt(source.file, one.from) });
        }
  return seen;
}

/** What a call makes, each with its method and the path below its group. */
function routesOf(source: Source, one: Call, resources: ReturnType<typeof ktorResources>): [string, string][] {
  const { on, name, path, typed, hasBlock, inside } = one;
  const { content, calls } = source;
  if (notAServer.test(on)) return [];
  if (name === 'crud' && path !== null) {
    // A CrudHandler of Javalin: the last part of its path is the id of one.
    const every = path.replace(/\/[^/]*$/, '');
    return [
      ['GET', every],
      ['GET', path],
      ['POST', every],
      ['PATCH', path],
      ['DELETE', path],
    ];
  }
  // Of the server that comes with the JDK: what its handler does by the method is not seen.
  if (name === 'createContext') return path?.startsWith('/') === true ? [['GET', path]] : [];
  const isGrouped = calls.some((other) => isGroup(other) && other.from < one.from && one.from < other.to);
  if (verbs.has(name)) {
    const ofResource = typed === null ? null : resources(typed, source.file);
    if (typed !== null && path === null) return ofResource === null ? [] : [[name, ofResource]];
    // Javalin takes a path without its slash, and so does a map: one with a handler behind it is a route.
    if (path !== null)
      return path.startsWith('/') || (on === '' && isGrouped) || handled.test(content.slice(inside, inside + 600)) ? [[name, path]] : [];
    const isOwn = on === '' && isGrouped && (content[inside - 1] === '{' || handler.test(content.slice(inside, inside + 200)));
    return isOwn ? [[name, '']] : [];
  }
  if (name !== 'route' || hasBlock) return [];
  // Of Vert.x, for one method or for each; what ends in a star goes before others.
  vertxMethod.lastIndex = inside;
  const [given = '', method = 'GET'] = vertxMethod.exec(content) ?? [];
  const own = given === '' ? path : textAt(content, inside + given.length, new Map());
  return own?.startsWith('/') === true && !own.includes('*') ? [[method, own]] : [];
}

function isGroup({ name, path }: Call): boolean {
  return groups.has(name) && path !== null;
}

/** The paths above a call: of the groups around it, of what its router is mounted at, and of where the function around it is called. */
function prefixesOf(all: Sources, source: Source, one: Call): string[] {
  const groupsAbove = source.calls.filter((other) => isGroup(other) && other.from < one.from && one.from < other.to);
  const near = joinPaths(...groupsAbove.map(({ path }) => path ?? ''));
  const around = source.functions.findLast(({ from, to }) => from < one.from && one.from < to);
  const isNear = ({ from, to }: Span): boolean => around === undefined || (around.from < from && to <= around.to);
  const mount = source.calls.find((other) => subRouters.has(other.name) && other.last === one.on && one.on !== '' && isNear(other));
  const own = mount === undefined ? near : joinPaths(subPath(source, mount), near);
  return around === undefined ? [own] : calledBelow(all, source, around).map((up) => joinPaths(up, own));
}

/** The paths below which a function is called; the root where nothing is seen to call it. */
function calledBelow(all: Sources, source: Source, called: Source['functions'][number]): string[] {
  const known = all.mounts.get(called);
  if (known !== undefined) return known;
  // What a circle leads to.
  all.mounts.set(called, ['']);
  const owners = all.sources.filter(({ functions }) => functions.some(({ name }) => name === called.name));
  const above = all.sources.flatMap((by) =>
    by.calls
      .filter((other) => other.name === called.name && (owners.length === 1 || isOfType(other, by, source)))
      .slice(0, mostMounts)
      .flatMap((other) => {
        const mounted = by.calls.findLast(({ name, inside, to }) => subRouters.has(name) && inside <= other.from && other.from < to);
        const prefix = mounted === undefined ? '' : subPath(by, mounted);
        return prefixesOf(all, by, { ...other, on: '' }).map((up) => joinPaths(up, prefix));
      }),
  );
  const found = above.length === 0 ? [''] : [...new Set(above)].slice(0, mostMounts);
  all.mounts.set(called, found);
  return found;
}

/** Whether a call is on an object of a type of this file: one of its name, one that is declared as such, or one that is made for the call. */
function isOfType({ on, from }: Call, by: Source, { types }: Source): boolean {
  const made = /\bnew\s{1,4}(\w{1,80})\s?\([^()]{0,200}\)\s{0,80}\.\s{0,80}$/.exec(by.content.slice(Math.max(0, from - 400), from))?.[1];
  return types.some(
    (type) =>
      type === made ||
      (on !== '' &&
        (type.toLowerCase() === on.toLowerCase() ||
          new RegExp(`\\b${type}\\s+${on}\\b|\\b${on}\\s*(?::|=)\\s*(?:new\\s+)?${type}\\b`).test(by.content))),
  );
}

/** The path of `mountSubRouter("/api", …)`, or of `route("/api/*").subRouter(…)`. */
function subPath({ calls }: Source, mount: Call): string {
  const route = calls.findLast(
    ({ name, path, from, to }) => name === 'route' && path !== null && from < mount.from && mount.from - to < 80,
  );
  return (mount.name === 'mountSubRouter' ? mount : route)?.path?.replace(/\/?\*$/, '') ?? '';
}

function sourceOf(file: string, content: string, constants: Constants): Source {
  const ends = closingBrackets(content);
  const named = new Set<number>();
  const functions = [...content.matchAll(head)].flatMap(({ 0: whole, 1: type = '', 2: name = '', index }) => {
    const to = ends.get(index + whole.length - 1);
    if (to === undefined || keyword.test(name) || keyword.test(type)) return [];
    named.add(index + whole.lastIndexOf(name, whole.indexOf('(')));
    return [{ name, from: index, to }];
  });
  const calls: Call[] = [];
  for (const { 0: whole, 1: on = '', 2: name = '', 3: typed = null, 4: opening = '', index } of content.matchAll(call)) {
    if (calls.length >= mostCalls) break;
    const inside = index + whole.length;
    const end = ends.get(inside - 1);
    if (end === undefined || keyword.test(name) || named.has(index + whole.lastIndexOf(name, whole.length - (typed?.length ?? 0) - 2)))
      continue;
    const block = opening === '(' ? /^[^\S\n]{0,4}\{/.exec(content.slice(end + 1, end + 7)) : null;
    const to = block === null ? end : (ends.get(end + block[0].length) ?? end);
    calls.push({
      on,
      name,
      from: index,
      to,
      inside,
      path: opening === '(' ? textAt(content, inside, constants) : null,
      typed,
      last: lastName.exec(content.slice(Math.max(inside - 1, end - 100), end))?.[1] ?? null,
      hasBlock: opening === '{' || block !== null,
    });
  }
  return { file, content, ends, calls, functions, types: [...content.matchAll(typeName)].map(([, name = '']) => name) };
}

/** By each opening bracket its closing one; what is within quotes is none. */
function closingBrackets(content: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: found, index } of content.matchAll(bracket)) {
    if (found === '(' || found === '{') open.push(index);
    else if (found === ')' || found === '}') {
      const from = open.pop();
      if (from !== undefined) ends.set(from, index);
    }
  }
  return ends;
}

function constantsOf(files: FolderFiles, all: readonly string[]): Constants {
  const found = new Map<string, string | null>();
  for (const file of all)
    for (const { 1: name = '', 2: value = '' } of files.source(file).matchAll(constant))
      found.set(name, found.has(name) && found.get(name) !== value ? null : value);
  return found;
}

/** The text that the argument at this place is: quoted, a constant, or several of these joined. Null where it is none of these. */
function textAt(content: string, at: number, constants: Constants): string | null {
  written.lastIndex = at;
  const given = written.exec(content)?.[1];
  if (given === undefined) return null;
  const values = [...given.matchAll(new RegExp(piece, 'g'))].map(([part]) =>
    part.startsWith('"')
      ? part.slice(1, -1).replace(/\$\{?(\w+)\}?/g, (whole, name: string) => constants.get(name) ?? whole)
      : (constants.get(part.split('.').at(-1) ?? '') ?? null),
  );
  return values.includes(null) ? null : values.join('');
}
