import { type Comparison, comparedIn } from '../domain/comparison.ts';
import { diffNoteText } from '../domain/diffNoteKinds.ts';
import { mechanismPhrase } from '../presentation/comparedWords.ts';
import { present } from '../presentation/present.ts';
import { comparisonHeadline } from '../presentation/comparisonSaid.ts';
import { diffHeadline, diffReasons } from '../presentation/diffWords.ts';
import { sideText } from '../presentation/versionDiffTable.ts';
import { comparisonNote, invalidSides, ratioRange, verdictWord } from '../presentation/comparisonTable.ts';
import { changePhrase, figure, percentPhrase } from '../domain/format.ts';
import { withinPhrase } from '../domain/margin.ts';
import type { RunRecord } from '../domain/run.ts';
import { type DifferingAnswer, firstDifferencePhrase } from '../domain/routeCheck.ts';
import type { ChangedFunction, RouteDiff, VersionDiff, VersionMetric } from '../domain/versionDiff.ts';
import { type AgentAnswer, type AgentCall, type Asked, defaultTop, isPlainWord } from './agentAnswer.ts';
import { interferenceLine } from './trialLines.ts';
import { unitSizes, unitWords } from './workAnswers.ts';

export function comparisonAnswer(comparison: Comparison, { top = defaultTop, focus }: Asked): AgentAnswer {
  const wanted = focus?.toLowerCase();
  const rows = comparison.rows
    .map((row, index) => ({ row, number: index + 1 }))
    .filter(({ row }) => wanted === undefined || row.label.toLowerCase().includes(wanted));
  const shown = rows.slice(0, top);
  const warnings = comparison.differences.filter(({ severity }) => severity === 'warning').length;
  const { a, b, delta } = comparison;
  const part = ({ name, compared }: ReturnType<typeof comparedIn>[number]): string =>
    `${name} ${verdictWord(compared, delta)}${compared.verdict === 'same' && compared.byMechanism !== undefined ? `, as ${mechanismPhrase(compared.byMechanism)}` : ''} (${changePhrase(compared.ratio.mean)}, 95 % interval ${ratioRange(compared.ratio) || 'none'})`;
  return {
    said: present(
      `changes are from ${a.id} to ${b.id}`,
      rows.length === 0 && 'verdict: none; the two have no trial in common',
      shown.map(({ row, number }) => `verdict of row ${number}: ${comparedIn(row).map(part).join('; ') || 'can’t tell'}`),
      `differences besides: ${comparison.differences.length}, of which ${warnings} make the comparison unfair`,
      `disturbed: both were measured ${comparison.sameRun ? 'in the same rounds' : 'at different times'}`,
    ),
    next: [
      { tool: 'explain_run', input: { run: b.id } },
      { tool: 'compare_code', input: {} },
    ],
    data: present(
      comparisonHeadline(comparison),
      shown.map(({ row, number }) => `row ${number}: ${row.label}`),
      shown.flatMap(({ row, number }) => invalidSides(row, { a: a.name, b: b.name }).map((side) => `row ${number}: ${side}`)),
      comparison.differences.map(({ what, a: one, b: other, severity }) => `${severity}: ${what}: ${one} → ${other}`),
      shown.length > 0 && comparisonNote(comparison),
    ),
  };
}

/** Two versions of the code: better, worse, the same, or not decided; figures with their intervals, and statements that are sent more or less often. */
export function diffAnswer(diff: VersionDiff, run: Pick<RunRecord, 'id' | 'trials'> | null, { top = defaultTop }: Asked): AgentAnswer {
  const statements = diff.statements.slice(0, top);
  const repeated = statements.filter(({ nPlusOne }) => nPlusOne).length;
  return {
    said: present(
      'state: complete',
      run && `run: ${run.id}`,
      diff.sameCode
        ? 'verdict: same code on both sides; nothing was measured'
        : `verdict: head is ${diff.verdict === 'unknown' ? 'not decided (can’t tell yet)' : diff.verdict}, where ${withinPhrase(diff.delta)} counts as the same`,
      run && interferenceLine(run),
      diff.metrics.map(metricLine),
      !diff.sameCode && [
        answersLine(diff),
        `keep: ${keepWords[keepOf(diff)]}`,
        `statements that changed: ${diff.statements.length}, of which ${repeated} look like one for each row (N+1)`,
      ],
    ),
    next: present<AgentCall>(
      run && keepOf(diff) === 'longer' && longerCall(diff),
      run && { tool: 'get_run', input: { run: run.id } },
      run && { tool: 'get_slow_sql', input: { run: run.id, trial: '#2' } },
    ),
    data: present(
      diffHeadline(diff),
      diff.answers?.differing.slice(0, top).map(differingLine),
      diffReasons(diff),
      diff.routes?.slice(0, top).map(routeLine),
      diff.why?.functions.slice(0, top).map(functionLine),
      statements.map(({ sql, kind, base, head }) => `${kind}: ${figure(base)} → ${figure(head)} calls per request: ${sql}`),
    ),
  };
}

function functionLine({ name, file, line, touched, event, unit, base, head }: ChangedFunction): string {
  const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  const weights = `${figure(base / unitSizes[unit])} → ${figure(head / unitSizes[unit])} ${unitWords[unit]}`;
  return `${event} ${weights} per request${touched ? ', touched by the change' : ''}: ${name}${place}`;
}

type Keep = 'yes' | 'answers' | 'statements' | 'worse' | 'nothing' | 'longer' | 'unasked';

/** A change is worth keeping when the same requests have the same answers, by no more statements, and the second version is better by its interval. */
export function keepOf({ verdict, answers, metrics }: Pick<VersionDiff, 'verdict' | 'answers' | 'metrics'>): Keep {
  if (answers !== undefined && answers.differing.length > 0) return 'answers';
  if (verdict === 'worse') return 'worse';
  if (metrics.some(({ id, verdict: one }) => id === 'statements' && one === 'worse')) return 'statements';
  if (verdict === 'unknown') return 'longer';
  if (verdict === 'same') return 'nothing';
  return answers === undefined ? 'unasked' : 'yes';
}

/** What the line `keep:` says; what it begins with is one of `yes`, `no`, `not yet` and `only after a test`. */
export const keepWords: Readonly<Record<Keep, string>> = {
  yes: 'yes; it is better, with the same answers',
  answers: 'no; it answers otherwise, so its figures are of other work: revert it, or say that another answer is meant',
  statements: 'no; it sends more statements for the same requests',
  worse: 'no; it is worse',
  nothing: 'no; it brings nothing that counts here',
  longer: 'not yet; measure for longer',
  unasked: 'only after a test of its answers; they could not be compared here',
};

function answersLine({ answers }: VersionDiff): string {
  if (answers === undefined) return 'answers: not compared, no route could be asked beforehand';
  const { asked, differing } = answers;
  const routes = asked === 1 ? '1 route' : `${asked} routes`;
  return differing.length === 0
    ? `answers: the same to the same first requests of ${routes}`
    : `answers: otherwise for ${differing.length} of ${routes}`;
}

function differingLine(one: DifferingAnswer): string {
  const { route, what, before, after } = one;
  const words = {
    status: `status ${before} → ${after}`,
    bytes: `${before} → ${after} bytes`,
    content: `other content of the same ${after} bytes`,
  };
  return `answers otherwise: ${route}: ${words[what]}${firstDifferencePhrase(one, ' → ')}`;
}

/** The same comparison with twice the time of the profile *steady*, where the versions can be handed back. */
function longerCall({ asked }: VersionDiff): AgentCall[] {
  const named = Object.entries({ base: asked?.base, head: asked?.head ?? undefined, target: asked?.target });
  const given = named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  if (!given.every(([, value]) => isPlainWord(value))) return [];
  return [{ tool: 'compare_code', input: { ...Object.fromEntries(given), budgetS: 240 } }];
}

function routeLine({ route, share, verdict, unknown, metrics }: RouteDiff): string {
  const word = unknown !== null ? diffNoteText(unknown) : verdict === 'unknown' ? 'can’t tell yet' : verdict;
  const counted = metrics.filter(({ counts }) => counts === true).map(metricLine);
  return `${route} alone (${percentPhrase(100 * share)} of the mix): ${[word, ...counted].join('; ')}`;
}

function metricLine(metric: VersionMetric): string {
  const { name, unit, ratio, verdict, exact } = metric;
  const sides = `${sideText(metric, 'base')} → ${sideText(metric, 'head')}${unit === '' ? '' : ` ${unit}`}`;
  const change = ratio === null ? '' : `, ${changePhrase(ratio.mean)}, ${exact ? 'exact' : `95 % interval ${ratioRange(ratio) || 'none'}`}`;
  return `${plainName(name)}: ${sides}${change}${verdict === null ? '' : `: ${verdict === 'unknown' ? 'can’t tell yet' : verdict}`}`;
}

/** Names of figures are ours; a stored record could hold others. */
function plainName(name: string): string {
  return /^[A-Za-z0-9 ,/()-]{1,40}$/.test(name) ? name : 'figure';
}
