import * as z from 'zod';

/** What one route of a mix answered to the one request that it is asked before it is measured. */
const routeAnswerSchema = z.object({
  route: z.string().describe('as `METHOD /path`'),
  status: z.number().int().nullable().describe('null: no answer'),
  tookMs: z.number(),
  problem: z.string().nullable().describe('why it cannot be measured, after its name: “was answered with 500”'),
  hints: z.array(z.string()).describe('what may not be meant, after its name: “is redirected to /login”'),
});
export type RouteAnswer = z.infer<typeof routeAnswerSchema>;

/** What the routes of a target answered, and of the first that failed what it said and what the app printed. */
export const routeCheckSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  routes: z.array(routeAnswerSchema),
  failing: z.string().describe('the route, as `METHOD /path`'),
  asked: z.string().describe('the path that was asked for'),
  answer: z.string().describe('its status, some of its headers and its first lines; empty: none'),
  log: z.string().describe('the last lines that the app printed'),
});
export type RouteCheck = z.infer<typeof routeCheckSchema>;

/** "GET /orders/:id answers 500", or what else was wrong. */
export function routeHeadline({ routes, failing }: Pick<RouteCheck, 'routes' | 'failing'>): string {
  const found = routes.find(({ route }) => route === failing);
  if (found === undefined || found.status === null) return `${failing} ${found?.problem ?? 'fails'}`;
  // A status that is none of an error fails by what stands in the answer only.
  return `${failing} answers ${found.status}${found.status < 400 ? ' with errors inside' : ''}`;
}

/** "Found with one request, before measuring: nothing is measured yet. The other 3 routes answer." */
export function routeSubline({ routes, failing }: Pick<RouteCheck, 'routes' | 'failing'>): string {
  const others = routes.filter(({ route }) => route !== failing);
  const failed = others.filter(({ problem }) => problem !== null).length;
  const said =
    others.length === 0
      ? ''
      : failed === 0
        ? others.length === 1
          ? ' The other route answers.'
          : ` The other ${others.length} routes answer.`
        : ` Of the other ${others.length === 1 ? 'one' : others.length} ${failed} ${failed === 1 ? 'fails' : 'fail'} too.`;
  return `Found with one request, before measuring: nothing is measured yet.${said}`;
}

/** The routes that cannot be measured. */
export function failingRoutes({ routes }: Pick<RouteCheck, 'routes'>): string[] {
  return routes.flatMap(({ route, problem }) => (problem === null ? [] : [route]));
}

/** What asks for a mix may say of its routes. */
export const routeRequestFields = {
  leaveOut: z.array(z.string()).min(1).max(64).optional().describe('routes of the mix, as `METHOD /path`, that are not asked for'),
  askRoutes: z.boolean().optional().describe('false: a route that is answered with an error is measured all the same'),
};
