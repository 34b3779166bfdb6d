import { type FunctionTable, measuredWaits } from '../../model/domain/callTree.ts';
import { wholeNumber } from '../../model/domain/format.ts';
import type { Cause, CauseDetails, CauseKind, Causes } from './causes.ts';
import { type SentencePart, calleeText, placeParts, plain, predicateOf, shareText } from './sentenceParts.ts';

/** Waits of one kind, and the runtime's work, count together, whatever the caller. */
const together: ReadonlySet<CauseKind> = new Set(['idle', 'poolWait', 'databaseWait', 'lockWait', 'gc', 'jit']);

/** Causes that a person would name as one, the heaviest first. */
export interface CauseGroup {
  kind: CauseKind;
  weight: number;
  causes: Cause[];
}

/** All causes in groups, the heaviest first. */
export function groupsOf({ causes }: Causes, event: string): CauseGroup[] {
  const groups: CauseGroup[] = [];
  const shared = new Map<CauseKind, CauseGroup>();
  // Where all of it is one wait, only the function that asked for it distinguishes parts.
  const apart = measuredWaits.has(event);
  for (const cause of causes) {
    const known = apart ? undefined : shared.get(cause.kind);
    if (known !== undefined) {
      known.weight += cause.weight;
      known.causes.push(cause);
      continue;
    }
    const group: CauseGroup = { kind: cause.kind, weight: cause.weight, causes: [cause] };
    groups.push(group);
    if (together.has(cause.kind)) shared.set(cause.kind, group);
  }
  return groups.sort((a, b) => b.weight - a.weight);
}

/** "waits for a database connection, asked for in Main.slowQuery (Main.java:57)" */
export function groupParts(
  { kind, weight, causes: members }: CauseGroup,
  causes: Causes,
  { event, functions }: { event: string; functions: FunctionTable },
): SentencePart[] {
  const [top] = members as [Cause];
  if (top.func < 0) {
    const { does } = predicateOf(event, kind, top.library);
    if (kind === 'code' || does.endsWith(' in') || does.endsWith('from'))
      return [plain(top.library === '' ? 'has no stack' : `${does} ${top.library}, below none of your functions`)];
    return [plain(top.library === '' || does.endsWith(top.library) ? does : `${does}, below none of your functions`)];
  }
  const details = causes.detailsOf(top);
  const callee = calleeText(functions, details);
  const { does, by } = predicateOf(event, kind, waitsInOf(kind, functions, details));
  const of = top.weight / weight;
  const named = [plain(`${does}${by}`), ...placeParts(functions, { func: top.func, line: details.line })];
  if (members.length > 1 && of < 0.8) named.push(plain(`, ${shareText(of)} of it; the rest in ${others(members.length - 1)}`));
  else if (kind === 'code' && callee !== '' && details.own < top.weight / 2 && (details.callee?.weight ?? 0) >= top.weight / 2)
    named.push(plain(`, most of it in ${callee}, which it calls`));
  else if (kind !== 'code' && details.caller !== null && details.caller.weight >= 0.3 * top.weight)
    named.push(
      plain(details.caller.weight >= 0.5 * top.weight ? ', mostly for ' : ', most often for '),
      ...placeParts(functions, details.caller),
    );
  return named;
}

function others(count: number): string {
  return count === 1 ? 'one other' : `${wholeNumber(count)} others`;
}

/** For a wait of which nothing more is known: in what it waits. */
export function waitsInOf(kind: CauseKind, functions: FunctionTable, details: CauseDetails): string {
  return kind === 'otherWait' ? calleeText(functions, details) : '';
}
