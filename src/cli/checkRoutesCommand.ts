import { progressOf } from '../model/protocol/progress.ts';
import { type Failure, failure, toFailure } from '../model/domain/failure.ts';
import { figure, noFigure } from '../model/domain/format.ts';
import { onOneLine, compacted } from '../model/domain/plainText.ts';
import type { TargetState } from '../model/protocol/protocol.ts';
import { aboveBudget, counted } from '../model/domain/routeBudget.ts';
import { type RouteCount, costsOf, oncePerRow, uncountedPhrases } from '../model/domain/routeCount.ts';
import { type RoutePlace, routePlaces } from '../model/protocol/routePlaces.ts';
import { plainTable, titledColumns } from '../model/presentation/table.ts';
import type { Route } from '../model/domain/target.ts';
import type { EngineCommand } from './command.ts';
import { withProgress } from './measure.ts';
import type { checkRoutesCommand } from './serviceOptions.ts';
import { textTable } from './textDocument.ts';

/** A route that was asked for once, with what it may take and where it is handled. */
export interface CheckedRoute extends RouteCount {
  target: string;
  budget: NonNullable<Route['budget']>;
  /** What it takes more of than its budget, such as "11 statements, budget 3". */
  above: readonly string[];
  place: Pick<RoutePlace, 'file' | 'line'> | null;
}

const longestSql = 120;
/** Remarks without a line of their own are reported at the first line of this file. */
const workspaceFile = 'benchside.json';
/** Statements and rows are counted here; time is not. */
const countedParts = ['statements', 'rows'] as const;

/** What is reported of a route in addition to its figures, and how bad that is. */
interface Remark {
  level: 'error' | 'warning';
  text: string;
}

/**
 * `benchside check-routes`: one request to each route, counted. Exit status 0: all within their budgets, 1: one is above its budget, is not answered well, or
 * a target does not start, 4: one has a budget that cannot be counted.
 */
export const checkRoutes: EngineCommand<typeof checkRoutesCommand> = async (command, engine, terminal) => {
  const { json, routes } = command;
  const { targets, problems } = await engine.request('catalog/get', {});
  const chosen = chosenTargets(command.targets, targets, problems);
  const progress = progressOf(engine, 'routes', ({ message }) => terminal.line?.show(`${message} …`));
  const checked: CheckedRoute[] = [];
  const failures: { target: string; failure: Failure }[] = [];
  await withProgress(terminal, progress, async () => {
    const { services, candidates } = await engine.request('workspace/discover', {}, terminal.signal);
    const places = routePlaces([...services, ...candidates.map(({ service }) => service)], targets);
    for (const target of chosen) {
      try {
        const asked = { target: target.id, ...(routes.length === 0 ? {} : { routes: [...routes] }) };
        const { counts } = await engine.request('routes/count', asked, terminal.signal);
        checked.push(...counts.map((count) => checkedRoute(count, target, places)));
      } catch (error) {
        const failed = toFailure(error);
        if (failed.code === 'cancelled' || chosen.length === 1) throw error;
        failures.push({ target: target.id, failure: failed });
      }
    }
  });
  if (json) terminal.json({ routes: checked.map(documented), ...(failures.length === 0 ? {} : { failures }) });
  else for (const line of checkedLines(checked, failures)) terminal.print(line);
  return checkedCode(checked, failures.length);
};

function chosenTargets(named: readonly string[], targets: readonly TargetState[], problems: readonly Failure[]): TargetState[] {
  const unknown = named.find((id) => !targets.some((target) => target.id === id));
  const own = targets.filter(({ origin }) => origin === 'workspace');
  const known = own.map(({ id }) => id).join(', ');
  if (unknown !== undefined)
    throw failure(
      'target-unknown',
      `There is no target “${unknown}”.`,
      known === '' ? 'Declare it in benchside.json.' : `Choose one of: ${known}.`,
    );
  const chosen = named.length === 0 ? own : targets.filter(({ id }) => named.includes(id));
  if (chosen.length > 0) return chosen;
  const [broken] = problems;
  throw failure(
    'target-unknown',
    `This folder declares no target.${broken === undefined ? '' : ` ${broken.message}`}`,
    broken?.cure ?? '“benchside init” declares its services in benchside.json; --target names a sample.',
  );
}

function checkedRoute(count: RouteCount, { id, routes }: TargetState, places: readonly RoutePlace[]): CheckedRoute {
  const budget = routes.find(({ method, path }) => `${method} ${path}` === count.route)?.budget ?? {};
  const place = places.find((one) => one.targetId === id && one.route === count.route);
  return {
    ...count,
    target: id,
    budget,
    above: aboveBudget(costsOf(count), budget),
    place: place === undefined ? null : { file: place.file, line: place.line },
  };
}

/** As a program reads it. */
function documented({ statements, ...route }: CheckedRoute) {
  const costs = costsOf({ statements });
  const repeated = oncePerRow({ statements });
  return { ...route, ...costs, repeated: repeated === null ? null : { sql: repeated.sql, calls: repeated.calls }, sent: statements };
}

/** 1 where a route is above its budget or failed, 4 where a budget could not be counted, else 0. */
export function checkedCode(checked: readonly CheckedRoute[], failedTargets: number): 0 | 1 | 4 {
  const remarks = checked.flatMap(remarksOf);
  if (failedTargets > 0 || remarks.some(({ level }) => level === 'error')) return 1;
  return checked.some(isUntold) ? 4 : 0;
}

/** A table of what each route takes, then a line for each remark as compilers write theirs: `file:line: error: …`. */
export function checkedLines(checked: readonly CheckedRoute[], failures: readonly { target: string; failure: Failure }[]): string[] {
  const several = new Set([...checked, ...failures].map(({ target }) => target)).size > 1;
  const table = plainTable(
    titledColumns(['Route', 'Statements', 'Rows', 'ms', 'Budget'], 1, 3),
    checked.map((one) => {
      const { statements, rows } = costsOf(one);
      const { budget, tookMs } = one;
      return [
        nameOf(one, several),
        statements === null ? noFigure : String(statements),
        rows === null ? noFigure : String(rows),
        figure(tookMs),
        countedParts.flatMap((part) => (budget[part] === undefined ? [] : [`${budget[part]} ${part}`])).join(', '),
      ];
    }),
  );
  const lines = checked.flatMap((one) =>
    remarksOf(one).map(({ level, text }) => `${placeOf(one)}: ${level}: ${nameOf(one, several)}: ${text}`),
  );
  const failed = failures.map(({ target, failure: { message, cure } }) => `${workspaceFile}:1: error: ${target}: ${message} ${cure}`);
  const remarks = [...lines, ...failed].map((line) => onOneLine(line));
  return [...(checked.length === 0 ? [] : [textTable(table)]), ...(remarks.length === 0 ? [] : ['', ...remarks])];
}

function remarksOf(one: CheckedRoute): Remark[] {
  if (one.problem !== null) return [{ level: 'error', text: one.problem }];
  if (isUntold(one))
    return [{ level: 'warning', text: `its budget is not checked: ${one.uncounted === null ? '' : uncountedPhrases[one.uncounted]}` }];
  const repeated = oncePerRow(one);
  const same = repeated === null ? '' : `${counted(repeated.calls, 'time')} the same: ${compacted(repeated.sql, longestSql)}`;
  if (one.above.length > 0) return [{ level: 'error', text: [...one.above, ...(same === '' ? [] : [same])].join('; ') }];
  return same === '' ? [] : [{ level: 'warning', text: `one statement for each row (N+1)? ${same}` }];
}

/** It has a budget, and its cost is not known. */
function isUntold({ statements, budget, problem }: CheckedRoute): boolean {
  return problem === null && statements === null && countedParts.some((part) => budget[part] !== undefined);
}

function nameOf({ route, target }: CheckedRoute, several: boolean): string {
  return several ? `${target} ${route}` : route;
}

function placeOf({ place }: CheckedRoute): string {
  return place === null ? `${workspaceFile}:1` : `${place.file}:${place.line}`;
}
