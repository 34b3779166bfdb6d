import * as z from 'zod';

/** What is wrong with an answer where its status does not say it. */
export const routeTroubleSchema = z.enum(['stream', 'websocket', 'rate-limit', 'unexpected', 'graphql']);
export type RouteTrouble = z.infer<typeof routeTroubleSchema>;

/** What one route of a mix answered to the one request that it is asked before it is measured. */
const routeAnswerSchema = z.object({
  route: z.string().describe('as `METHOD /path`'),
  status: z.number().int().nullable().describe('null: no answer'),
  tookMs: z.number(),
  problem: z.string().nullable().describe('why it cannot be measured, after its name: “was answered with 500”'),
  trouble: routeTroubleSchema.optional().describe('what kind of problem that is, where the status does not say it'),
  hints: z.array(z.string()).describe('what may not be meant, after its name: “is redirected to /login”'),
});
export type RouteAnswer = z.infer<typeof routeAnswerSchema>;

/** What a route answered when it was asked first: the same request in every run, so that the answers of two can be compared. */
export const answerDigestSchema = z.object({
  route: z.string().describe('as `METHOD /path`'),
  path: z.string().describe('with its parameters as they were drawn'),
  status: z.number().int(),
  bytes: z.number().describe('of the body that was read: 1 MB at the most, in older runs 64 KB'),
  whole: z.boolean().describe('false: it was longer'),
  sha256: z.string().describe('of those bytes'),
});
export type AnswerDigest = z.infer<typeof answerDigestSchema>;

/** A route that answered the same request otherwise. */
export const differingAnswerSchema = z.object({
  route: z.string().describe('METHOD /path'),
  what: z.enum(['status', 'bytes', 'content']).describe('content: of the same length'),
  before: z.number().describe('the status or the length; of content, the length'),
  after: z.number(),
  first: z
    .object({ place: z.string().describe('in JSON as $.items[0].id, a line, or a header'), before: z.string(), after: z.string() })
    .optional()
    .describe('the first difference; absent in older runs'),
});
export type DifferingAnswer = z.infer<typeof differingAnswerSchema>;

/** The answers of a process against those of the first, to requests that both were sent. */
export const comparedAnswersSchema = z.object({
  asked: z.number().int().describe('routes that both were asked for'),
  differing: z.array(differingAnswerSchema),
});
export type ComparedAnswers = z.infer<typeof comparedAnswersSchema>;

/** “ ($.count: 12 and 13)”, after what is said of the route; nothing where it is not known. */
export function firstDifferencePhrase({ first }: DifferingAnswer, between = ' and '): string {
  return first === undefined ? '' : ` (${first.place}: ${first.before}${between}${first.after})`;
}

/** The answers of a target's routes, and for the first that failed its answer and the output of the app. */
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

const troubleHeadlines: Readonly<Record<RouteTrouble, (status: number) => string>> = {
  stream: () => 'answers with a stream that does not end',
  websocket: () => 'is a WebSocket',
  'rate-limit': (status) => `answers ${status}: a rate limit`,
  unexpected: (status) => `answers ${status}, and otherwise than expected`,
  graphql: (status) => `answers ${status} with errors inside`,
};

/** "GET /orders/:id answers 500", or what else was wrong. */
export function routeHeadline({ routes, failing }: Pick<RouteCheck, 'routes' | 'failing'>): string {
  const found = routes.find(({ route }) => route === failing);
  if (found === undefined || found.status === null) return `${failing} ${found?.problem ?? 'fails'}`;
  return `${failing} ${found.trouble === undefined ? `answers ${found.status}` : troubleHeadlines[found.trouble](found.status)}`;
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

export function failingRoutes({ routes }: Pick<RouteCheck, 'routes'>): string[] {
  return routes.flatMap(({ route, problem }) => (problem === null ? [] : [route]));
}

/** What asks for a mix may say of its routes. */
export const routeRequestFields = {
  leaveOut: z.array(z.string()).min(1).max(64).optional().describe('routes of the mix, as `METHOD /path`, that are not asked for'),
  askRoutes: z.boolean().optional().describe('false: a route that is answered with an error is measured all the same'),
};
