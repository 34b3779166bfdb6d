import { aboveBudget, counted } from '../../model/domain/routeBudget.ts';
import { costsOf, countPhrase, oncePerRow, type RouteCount } from '../../model/domain/routeCount.ts';
import type { RoutePlace } from '../../model/protocol/routePlaces.ts';

/** Of the statements of a request, so many are shown, and so many lines of each and of its plan. */
const shown = { statements: 6, lines: 12 } as const;

/** The text at a handler: "3 statements, 8 rows", "⚠ 11 statements, budget 3", or why it is not known; empty where there is nothing to say. */
export function countLabel(count: RouteCount, budget: RoutePlace['budget']): string {
  if (count.problem !== null) return `⚠ ${count.problem}`;
  const above = aboveBudget(costsOf(count), budget);
  const phrase = countPhrase(count);
  if (above.length > 0) return `⚠ ${above.join(' · ')}`;
  return phrase === '' || oncePerRow(count) === null ? phrase : `⚠ ${phrase}`;
}

/** Markdown: each statement with how often it was sent, its rows and its plan. SQL and plans are untrusted: code blocks contain them. */
export function countHover({ path, status, statements }: RouteCount, askedAt: Date, asSaved = true): string {
  const older = asSaved ? '' : ' by the process that runs, which was started before this save';
  const asked = `Counted of one request at ${askedAt.toLocaleTimeString()}, answered with ${status ?? 'nothing'}${older}:`;
  const each = (statements ?? []).slice(0, shown.statements).map(({ sql, calls, rows, plan }) => {
    const figures = `${counted(calls, 'time')}, ${counted(rows, 'row')}`;
    return [figures, codeBlock(sql, 'sql'), ...(plan === null ? [] : [codeBlock(plan, '')])].join('\n\n');
  });
  const more = (statements ?? []).length - each.length;
  return [asked, codeBlock(path, ''), ...each, ...(more > 0 ? [`and ${counted(more, 'more statement')}`] : [])].join('\n\n');
}

/** A block that nothing in it can end. */
function codeBlock(text: string, language: string): string {
  const lines = text.replaceAll('\r', '').split('\n').slice(0, shown.lines);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`;
}
