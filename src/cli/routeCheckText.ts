import { figure } from '../model/domain/format.ts';
import { type RouteCheck, failingRoutes, routeHeadline, routeSubline } from '../model/domain/routeCheck.ts';
import { plainTable, titledColumns } from '../model/presentation/table.ts';
import { textTable } from './textDocument.ts';

/** A route that failed before the measurement: the answer of each route, the failed answer, the output of the app, and what to do. */
export function routeCheckText(check: RouteCheck): string {
  const table = plainTable(
    titledColumns(['Route', 'answers', 'ms', ''], 1, 2),
    check.routes.map(({ route, status, tookMs, problem, hints }) => [
      route,
      status === null ? 'nothing' : String(status),
      figure(tookMs),
      problem === null ? hints.join('; ') : 'fails',
    ]),
  );
  const failing = failingRoutes(check);
  const out = failing.map((route) => `--leave-out ${JSON.stringify(route)}`).join(' ');
  return [
    `${check.targetLabel}: ${routeHeadline(check)}`,
    routeSubline(check),
    '',
    textTable(table),
    ...(check.answer === '' ? [] : ['', `What it answered to ${check.asked}:`, indented(check.answer)]),
    ...(check.log === '' ? [] : ['', 'The last lines that the app printed:', indented(check.log)]),
    '',
    ...(failing.length < check.routes.length ? [`→ to leave it out: ${out}`] : []),
    '→ to measure it all the same: --even-failing, or "askFirst": false for the route in benchside.json',
  ].join('\n');
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
