import { startupHeadline, wayWords } from '../presentation/documents/startupDocument.ts';
import { bytesPhrase, durationPhrase, wholeNumber } from '../domain/format.ts';
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
      verdict === 'undecided' &&
        isPlainWord(target) && { tool: 'check_leak', input: { target, budgetS: Math.min(900, 2 * budgetS) } },
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
