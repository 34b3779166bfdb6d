import { type Advice, type Tried, isAdvised, isUseful } from '../domain/advice.ts';
import { adviceHeadline } from '../presentation/documents/adviceDocument.ts';
import { present } from '../presentation/present.ts';
import { bytesPhrase, changePhrase, changeRange } from '../domain/format.ts';
import { headlineOf } from '../domain/diagnosis.ts';
import { type AgentAnswer, type Asked, defaultTop } from './agentAnswer.ts';

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
