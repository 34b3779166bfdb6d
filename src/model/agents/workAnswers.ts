import * as z from 'zod';
import { figure, percentPhrase } from '../domain/format.ts';
import type { RunRecord } from '../domain/run.ts';
import { type StatementUse, answeredRequests, isOncePerRow } from '../domain/statement.ts';
import { type AgentAnswer, type Asked, defaultTop } from './agentAnswer.ts';
import { leadingTrial } from './runAnswers.ts';
import { focusedTrials, trialName } from './trialLines.ts';

/** A function of a recording, weights in the event’s unit. `own`: it is in a file of the workspace and not of a library. */
const hotFunctionSchema = z.object({
  name: z.string(),
  file: z.string().describe('relative to the workspace’s folder for a file within it'),
  line: z.number(),
  hotLine: z.number(),
  self: z.number(),
  total: z.number(),
  own: z.boolean(),
});
export type HotFunction = z.infer<typeof hotFunctionSchema>;

/** What the engine writes of one event of a recording, see `engine/calltree/writeFunctionJson`. */
export const exportedFunctionsSchema = z.object({
  event: z.string(),
  unit: z.enum(['ns', 'bytes', 'count']),
  total: z.number(),
  functions: z.array(hotFunctionSchema),
});
/** The same with the requests that were served while it was recorded. */
export type HotFunctions = z.infer<typeof exportedFunctionsSchema> & { requests: number | null };

/** The units in which weights of a recording are shown. */
export const unitWords = { ns: 'ms', bytes: 'KiB', count: '' } as const;
export const unitSizes = { ns: 1e6, bytes: 1024, count: 1 } as const;

/** Where the time goes: first the functions of the workspace, by their own weight and what they call, then those of libraries and of the runtime. */
export function framesAnswer(
  run: RunRecord,
  trialFocus: string | undefined,
  { event, unit, total, requests, functions }: HotFunctions,
  { top = defaultTop, focus }: Asked,
): AgentAnswer {
  const wanted = focus?.toLowerCase();
  const inFocus = functions.filter(({ name, file }) => wanted === undefined || `${name} ${file}`.toLowerCase().includes(wanted));
  const own = inFocus.filter((one) => one.own);
  const bySelf = [...own].sort((a, b) => b.self - a.self);
  const byTotal = [...own].sort((a, b) => b.total - a.total).filter((one) => one.total > 0);
  const selves = bySelf.filter(({ self }) => self > 0).slice(0, top);
  const totals = byTotal.filter((one) => !selves.includes(one)).slice(0, Math.ceil(top / 2));
  const others = inFocus
    .filter((one) => !one.own && one.self > 0)
    .sort((a, b) => b.self - a.self)
    .slice(0, Math.ceil(top / 2));
  const share = (weight: number): string => percentPhrase(total === 0 ? 0 : (100 * weight) / total);
  const perRequest = (weight: number): string =>
    requests === null || requests === 0 ? '' : `, ${figure(weight / unitSizes[unit] / requests)} ${unitWords[unit]} per request`;
  const line = ({ name, file, line: at, hotLine, self, total: all }: HotFunction): string =>
    `${share(self)} own, ${share(all)} with callees${perRequest(self)}: ${name}${file === '' ? '' : ` (${file}${at > 0 ? `:${at}` : ''}${hotLine > 0 ? `, most in line ${hotLine}` : ''})`}`;
  const leading = leadingTrial(run, focusedTrials(run.trials, trialFocus));
  return {
    said: [
      `run: ${run.id}${leading === null ? '' : `, ${trialName(leading)}`}`,
      `event: ${event}; functions: ${inFocus.length}, of the workspace ${own.length}`,
      `verdict: functions of the workspace have ${share(own.reduce((sum, { self }) => sum + self, 0))} of all on their own`,
      'interval: none; a recording is made after measuring and says shares, not speed',
    ],
    next: [
      ...(leading === null ? [] : [{ tool: 'get_slow_sql' as const, input: { run: run.id, trial: `#${leading.number}` } }]),
      { tool: 'compare_code', input: {} },
    ],
    data: [
      ...(selves.length === 0 ? [] : ['of the workspace, by what they do themselves:', ...selves.map(line)]),
      ...(totals.length === 0 ? [] : ['of the workspace, by what they call:', ...totals.map(line)]),
      ...(others.length === 0 ? [] : ['of libraries and the runtime:', ...others.map(line)]),
    ],
  };
}

/** The statements of a trial, the longest per request first; with a focus those that it is in, with their plans. */
export function sqlAnswer(run: RunRecord, trialFocus: string | undefined, { top = defaultTop, focus }: Asked): AgentAnswer {
  const trials = focusedTrials(run.trials, trialFocus).filter(({ trial }) => trial.statements !== undefined);
  const leading = leadingTrial(run, trials);
  const explain = { tool: 'explain_run' as const, input: { run: run.id } };
  if (leading === null)
    return {
      said: [`run: ${run.id}`, 'no statements were counted: the target uses no PostgreSQL of ours, or it does not count'],
      next: [explain],
      data: [],
    };
  const { trial } = leading;
  const requests = answeredRequests(trial);
  const all = [...(trial.statements ?? [])].sort((a, b) => b.totalMs - a.totalMs).map((use, index) => ({ use, number: index + 1 }));
  const asked = /^#(\d+)$/.exec(focus?.trim() ?? '');
  const wanted = focus?.toLowerCase();
  const inFocus = all.filter(({ use, number }) =>
    asked !== null ? number === Number(asked[1]) : wanted === undefined || use.sql.toLowerCase().includes(wanted),
  );
  const repeated = all.filter(({ use }) => isOncePerRow(use.sql, perRequest(use.calls, requests)));
  const shown = inFocus.slice(0, top);
  return {
    said: [
      `run: ${run.id}, ${trialName(leading)}`,
      `verdict: ${
        repeated.length === 0
          ? 'no statement is sent once per row'
          : `sent several times for each request (once per row?): ${repeated
              .map(({ number }) => `#${number}`)
              .slice(0, 10)
              .join(', ')}`
      }`,
      requests === 0
        ? 'statements per request: not known, as no request of this trial counts'
        : `statements per request: ${figure(perRequest(sum(all, 'calls'), requests))}; in ${figure(perRequest(sum(all, 'totalMs'), requests))} ms of the database`,
      'interval: none; calls and rows are counts and are exact',
      ...shown.map(({ use, number }) => `#${number}: ${statementLine(use, requests)}`),
      ...(inFocus.length > shown.length ? [`and ${inFocus.length - shown.length} more statements`] : []),
    ],
    next: [
      ...(focus === undefined && all.length > 0
        ? [{ tool: 'get_slow_sql' as const, input: { run: run.id, trial: `#${leading.number}`, focus: `#${repeated[0]?.number ?? 1}` } }]
        : []),
      { tool: 'compare_code', input: {} },
      explain,
    ],
    data: shown.flatMap(({ use, number }) => [
      `#${number}: ${use.sql}`,
      ...(focus === undefined || use.plan === null ? [] : ['plan for any value:', ...use.plan.split('\n')]),
    ]),
  };
}

function statementLine(use: StatementUse, requests: number): string {
  const calls = perRequest(use.calls, requests);
  const flag = isOncePerRow(use.sql, calls) ? ', once per row?' : '';
  return `${perRequestText(use.calls, requests)} calls and ${perRequestText(use.totalMs, requests)} ms per request (${percentPhrase(100 * use.share)} of all), ${figure(use.meanMs)} ms and ${figure(use.calls === 0 ? 0 : use.rows / use.calls)} rows a call, ${perRequestText(use.blocksRead, requests)} blocks read per request${flag}`;
}

function perRequest(count: number, requests: number): number {
  return requests === 0 ? 0 : count / requests;
}

/** Without a request that counts there is nothing to divide by. */
function perRequestText(count: number, requests: number): string {
  return requests === 0 ? '–' : figure(count / requests);
}

function sum(all: readonly { use: StatementUse }[], of: 'calls' | 'totalMs'): number {
  return all.reduce((total, { use }) => total + use[of], 0);
}
