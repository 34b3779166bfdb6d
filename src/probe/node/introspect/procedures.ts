import { types } from 'node:util';
import type { FoundRoute } from './expressRoutes.ts';

/** The procedures of a router of tRPC by their names, with dots for those of routers within it. */
export type Procedures = ReadonlyMap<string, object>;

/** Where routers are mounted: the adapter of a framework keeps that to itself. */
const mounts = ['', '/trpc', '/api/trpc'] as const;
const mostProcedures = 200;

/** The procedures of an object that is a router of tRPC, as a list of at most one. */
export function proceduresOf(object: unknown): Procedures[] {
  const definition = memberOf(object, '_def');
  const procedures = memberOf(definition, 'procedures');
  if (memberOf(definition, 'router') !== true || !isHolder(procedures)) return [];
  const named = Object.keys(procedures).flatMap((name): [string, object][] => {
    const one = memberOf(procedures, name);
    return isHolder(one) && kindOf(one) !== null ? [[name, one]] : [];
  });
  return named.length === 0 ? [] : [new Map(named.slice(0, mostProcedures))];
}

/** The routes of these procedures. Those of a router within another are answered by the names that the outer one has. */
export function procedureRoutes(routers: readonly Procedures[]): FoundRoute[] {
  const known = new Set<object>();
  const routes: FoundRoute[] = [];
  for (const router of [...routers].sort((a, b) => b.size - a.size)) {
    if ([...router.values()].every((one) => known.has(one))) continue;
    for (const [name, one] of router) {
      known.add(one);
      const method = kindOf(one) === 'query' ? 'GET' : 'POST';
      for (const mount of mounts) routes.push({ method, path: `${mount}/${name}`, handler: null });
    }
  }
  return routes;
}

/** From version 11 on a procedure has its type, before that a mark of its kind. */
function kindOf(procedure: object): 'query' | 'mutation' | null {
  const definition = memberOf(procedure, '_def');
  const type = memberOf(definition, 'type');
  if (type === 'query' || memberOf(definition, 'query') === true) return 'query';
  return type === 'mutation' || memberOf(definition, 'mutation') === true ? 'mutation' : null;
}

function isHolder(value: unknown): value is object {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && !types.isProxy(value);
}

/** A property that is a value: a getter, which would run code, is not read. */
function memberOf(holder: unknown, name: string): unknown {
  return isHolder(holder) ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined;
}
