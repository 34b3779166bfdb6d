import diagnostics from 'node:diagnostics_channel';
import { Server } from 'node:net';
import type { IntrospectionReport } from '../../../model/domain/probe.ts';
import type { KnownClass } from '../emitterWatch.ts';
import type { NamedDatabase } from '../namedDatabases.ts';
import { hasMethods, quietly, shortText } from '../objects.ts';
import { EnvironmentReads } from './environmentReads.ts';
import { type FoundRoute, expressPaths, member } from './expressRoutes.ts';
import { type HeapRoutes, heapRoutes } from './heapRoutes.ts';
import { LookedUp } from './lookedUp.ts';

const heapEveryMs = 15_000;
const nothing: HeapRoutes = { known: [], guessed: [], words: [] };

/**
 * For an app that is started once to be introspected, and not measured: what it listens on, which routes its framework has, which variables it reads.
 * Express: the stack of its router is read. Koa: what its routers add to the application is read. Fastify reports its routes. With any other, what looks like
 * a route is reported as a guess.
 */
export class AppIntrospection {
  readonly #servers: Server[] = [];
  readonly #koa: object[] = [];
  readonly #fastify: FoundRoute[] = [];
  readonly #reads = new EnvironmentReads();
  readonly #lookedUp = new LookedUp();
  #heap: { atMs: number; found: HeapRoutes } | null = null;
  // Kept here: Node only holds it weakly.
  readonly #initialized = diagnostics.channel('fastify.initialization');

  constructor(private readonly databases: (() => NamedDatabase[]) | null) {}

  start(): void {
    this.#reads.watch();
    this.#lookedUp.watch();
    this.#initialized.subscribe(quietly((message: unknown) => this.#followFastify(member(message, 'fastify')), undefined));
  }

  classes(): KnownClass[] {
    return [
      {
        recognizes: (prototype) => prototype instanceof Server || prototype === Server.prototype,
        found: (one) => void this.#servers.push(one as Server),
      },
      { recognizes: (prototype) => hasMethods(prototype, 'callback', 'createContext', 'use'), found: (one) => void this.#koa.push(one) },
    ];
  }

  report(): IntrospectionReport {
    const heap = this.#heapNow();
    const express = this.#servers.flatMap((server) => server.listeners('request').map((listener) => expressPaths(listener)));
    const routes = [...express.flatMap((one) => one.routes), ...this.#koa.flatMap(koaRoutes), ...this.#fastify, ...heap.known];
    return {
      listens: this.#servers.flatMap((server) => {
        const address = server.address();
        return typeof address === 'object' && address !== null ? [{ port: address.port, host: shortText(address.address) }] : [];
      }),
      routes: routes.slice(0, 1_000).map(told),
      guessed: [...heap.guessed, ...express.flatMap(({ mounts }) => mounts)].map(told),
      lookedUp: this.#lookedUp.paths().map(shortText),
      words: heap.words.map(shortText),
      variables: this.#reads
        .report()
        .map(({ name, place }) => ({ name: shortText(name), place: place === null ? null : shortText(place) })),
      databases: (this.databases?.() ?? []).map((one) => ({ ...one, host: shortText(one.host), database: shortText(one.database) })),
    };
  }

  /** Searching the heap is slow, and the engine may ask several times. */
  #heapNow(): HeapRoutes {
    const now = performance.now();
    if (this.#heap === null || now - this.#heap.atMs > heapEveryMs) this.#heap = { atMs: now, found: quietly(heapRoutes, nothing)() };
    return this.#heap.found;
  }

  #followFastify(fastify: unknown): void {
    const addHook = member(fastify, 'addHook');
    if (typeof addHook !== 'function') return;
    const onRoute = (route: unknown): void => {
      const [method, url] = [member(route, 'method'), member(route, 'url')];
      if (typeof url !== 'string') return;
      for (const one of Array.isArray(method) ? (method as unknown[]) : [method])
        if (typeof one === 'string' && one !== 'HEAD') this.#fastify.push({ method: one, path: url, handler: null });
    };
    Reflect.apply(addHook, fastify, ['onRoute', quietly(onRoute, undefined)]);
  }
}

function told({ method, path, handler }: FoundRoute): FoundRoute {
  return { method: shortText(method), path: shortText(path), handler: handler === null ? null : shortText(handler) };
}

/** What @koa/router and koa-router leave in the application: the function that answers carries its router. */
function koaRoutes(app: object): FoundRoute[] {
  const middleware = member(app, 'middleware');
  if (!Array.isArray(middleware)) return [];
  return (middleware as unknown[]).flatMap((one) => {
    const stack = member(member(one, 'router'), 'stack');
    if (!Array.isArray(stack)) return [];
    return (stack as unknown[]).flatMap((layer) => {
      const [methods, path] = [member(layer, 'methods'), member(layer, 'path')];
      if (!Array.isArray(methods) || typeof path !== 'string') return [];
      return (methods as unknown[])
        .filter((method) => typeof method === 'string' && method !== 'HEAD')
        .map((method) => ({ method: method as string, path, handler: null }));
    });
  });
}
