import { adviceHeadline } from '../presentation/documents/adviceDocument.ts';
import { startupHeadline, wayWords } from '../presentation/documents/startupDocument.ts';
import { type Advice, type Tried, isAdvised, isUseful } from '../domain/advice.ts';
import { headlineOf } from '../domain/diagnosis.ts';
import { bytesPhrase, changePhrase, changeRange, durationPhrase, wholeNumber } from '../domain/format.ts';
import type { LeakReport } from '../domain/leak.ts';
import type { StartTime, StartupReport } from '../domain/startup.ts';
import { present } from '../presentation/present.ts';
import { type AgentAnswer, type AgentCall, type Asked, defaultTop, isPlainWord } from './agentAnswer.ts';

/** Whether a service leaks. Names of classes and functions are the app’s. */
export function leakAnswer(report: LeakReport, { top = defaultTop }: Asked): AgentAnswer {
  const { target, verdict, doubt, kept, confidence, cycles, settling, classes, holders, stacks, budgetS } = report;
  const bytes = (perRequest: number): string => perRequest.toFixed(1);
  return {
    said: present(
      'state: complete',
      `verdict: ${verdict === 'undecided' ? 'not decided (can’t tell yet)' : verdict.replaceAll('-', ' ')}`,
      kept &&
        `kept per request: ${bytes(kept.mean)} bytes (${Math.round(100 * confidence)} % interval ${bytes(kept.low)} to ${bytes(kept.high)})`,
      `cycles: ${cycles.length}, of which the first ${settling} do not count; ${wholeNumber(cycles.at(-1)?.requests ?? 0)} requests`,
      doubt && `doubt: ${doubt.replaceAll('-', ' ')}`,
    ),
    next: present<AgentCall>(
      verdict === 'undecided' && isPlainWord(target) && { tool: 'check_leak', input: { target, budgetS: Math.min(900, 2 * budgetS) } },
    ),
    data: [
      ...classes
        .slice(0, top)
        .map(
          ({ name, perCycle, bytes: own }) => `grows: ${name}, ${perCycle.map(wholeNumber).join(', ')} more by cycle, ${bytesPhrase(own)}`,
        ),
      ...holders
        .slice(0, top)
        .map(({ kind, name, objects }) => `held by: ${kind}${name === null ? '' : ` ${name}`}, ${wholeNumber(objects)} new objects`),
      ...stacks
        .slice(0, top)
        .map(
          ({ bytes: own, frames }) =>
            `allocated: ${bytesPhrase(own)} in ${frames.map(({ name, file, line }) => `${name} (${file}:${line})`).join(' < ')}`,
        ),
    ],
  };
}

/** What a start takes. Names of parts are those of the app’s packages. */
export function startupAnswer(report: StartupReport, { top = defaultTop }: Asked): AgentAnswer {
  const { variants, archive, parts } = report;
  const time = (what: string, found: StartTime | null): string | null =>
    found && `${what} ${durationPhrase(found.mean)} (95 % interval ${durationPhrase(found.low)} to ${durationPhrase(found.high)})`;
  return {
    said: present(
      'state: complete',
      variants.map(({ way, starts, ready, firstAnswer }) => {
        const times = present(time('ready after', ready), time('first answer after', firstAnswer), `${starts.length} starts`);
        return `start ${wayWords[way]}: ${times.join(', ')}`;
      }),
      archive &&
        `${wayWords[archive.way]}: ${archive.verdict === 'unknown' ? 'not distinguished' : archive.verdict} in time to ready; nothing was applied`,
    ),
    next: [],
    data: present(
      startupHeadline(report),
      parts.slice(0, top).map(({ name, ms, share }) => `part: ${name}, ${durationPhrase(ms)}, ${Math.round(100 * share)} %`),
      archive && `to have it: make it by ${archive.options.make.join(' ')}, start with ${archive.options.use.join(' ')}`,
    ),
  };
}

/** The changes that were tried with their effects. Names, statements and SQL of the workspace are data. */
export function adviceAnswer(advice: Advice, { top = defaultTop }: Asked): AgentAnswer {
  const { tried, together, notTried, runs, verdict } = advice;
  const useful = tried.filter(isUseful);
  const advised = tried.filter(isAdvised);
  const last = runs.at(-1);
  return {
    said: present(
      'state: complete',
      `tried: ${tried.length} changes, of which ${useful.length} help beyond chance and ${advised.length - useful.length} are the same for less; ${notTried.length} were not measured`,
      tried.slice(0, top).map((one, index) => `change ${index + 1}: ${effectLine(one)}`),
      together && `together: ${effectLine(together)}; over the best alone: ${together.overBest?.verdict ?? 'unknown'}`,
      'nothing was applied',
    ),
    next: last === undefined ? [] : [{ tool: 'get_run', input: { run: last.id } }],
    data: present(
      adviceHeadline(advice),
      verdict && `limits now: ${headlineOf(verdict)}`,
      tried.slice(0, top).map(({ id }, index) => `change ${index + 1}: ${id}`),
      advised.slice(0, top).flatMap(({ id, apply }) => apply.map(({ where, text }) => `to have ${id} (${where}): ${text}`)),
      useful.slice(0, top).flatMap(({ id, index }) => (index === null ? [] : [`cost of ${id}: ${bytesPhrase(index.bytes)} on disk`])),
    ),
  };
}

function effectLine({ stage, verdict, ratio, answersDiffer }: Pick<Tried, 'stage' | 'verdict' | 'ratio' | 'answersDiffer'>): string {
  const change = ratio === null ? 'not measured' : `throughput ${changePhrase(ratio.mean)} (95 % interval ${changeRange(ratio) || 'none'})`;
  return `${verdict === 'unknown' ? 'not distinguished' : verdict}, ${change}, ${stage === 'screened' ? 'screened only, no proof' : 'measured'}${answersDiffer ? ', answered otherwise' : ''}`;
}
