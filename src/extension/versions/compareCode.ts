import { defined } from '../../model/domain/defined.ts';
import type { AskedOf } from '../../model/protocol/measureRequest.ts';
import { type VersionMetricId, p99Kinds, usualMetrics, versionMetricIds, versionMetrics } from '../../model/domain/versionDiff.ts';
import { measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import {
  fittingOptions,
  optionRows,
  optionsPhrase,
  p99Names,
  parseCompareBudget,
  parseConnections,
  parseDelta,
  parseObjective,
  routeNames,
  withOption,
} from './compareOptions.ts';
import { faultIn, type Parsed } from '../../model/domain/parsed.ts';
import type { TargetState } from '../../model/protocol/protocol.ts';
import { loadPhrase } from '../../model/presentation/loadWords.ts';
import { durationText } from '../../model/domain/durationText.ts';
import { sloPhrase } from '../../model/domain/sloText.ts';
import type { VersionNames } from '../../model/protocol/versionDiffRequest.ts';
import type { CompareMemory, CompareOptions } from '../services/lastAnswers.ts';
import { runCommand } from '../kit/runCommand.ts';
import { askFor, type Choice, choose, offer, tick } from '../kit/safeUi/dialogs.ts';

/** Of the addresses that the editor gives a commit of its history. */
const historyScheme = 'scm-history-item';

type Request = AskedOf<'diff'>;

/** Compares two versions of the workspace’s code; asks for those that the argument does not name. A comparison that is repeated may take `budgetS`. */
export async function compareCode(services: Services, what: unknown, budgetS?: number): Promise<void> {
  const again = typeof what === 'string' ? await requestOf(services, what) : null;
  const repeated = again === null || budgetS === undefined ? again : { ...again, budgetS };
  const request = repeated ?? (await askedFor(services, commitOf(what)));
  if (request !== undefined) await measure(services, { kind: 'diff', ...request });
}

/** What a stored comparison asked for; null of any other run. */
async function requestOf({ engine, inventory }: Services, id: string): Promise<Request | null> {
  if (!(await inventory.runs.get()).some((run) => run.id === id)) return null;
  const { run } = await engine.request('runs/get', { id });
  const { result, request, delta } = run;
  if (result.kind !== 'diff' || result.asked === undefined) return null;
  const { load, route, connections, budgetS, slo } = request;
  const judgeBy = result.metrics.flatMap(({ id, counts }): VersionMetricId[] => (id !== undefined && counts === true ? [id] : []));
  return {
    ...result.asked,
    load,
    delta,
    ...defined({ route, connections: connections?.[0], budgetS, slo, judgeBy: judgeBy.length === 0 ? undefined : judgeBy }),
  };
}

/** What is asked for, with last time’s answers chosen beforehand: Enter, Enter repeats them. What is answered is remembered, whether it can be measured or not. */
async function askedFor(services: Services, commit: string | null): Promise<Request | undefined> {
  const memory = await services.memory.comparison();
  const sides = commit === null ? await askSides(services, memory) : { request: { base: commit }, memory };
  if (sides === undefined) return undefined;
  const target = await askTarget(services, memory.targetId);
  if (target === undefined) return undefined;
  const options = await askOptions(services, target, fittingOptions(memory.options[target.id], target));
  if (options === undefined) return undefined;
  await services.memory.rememberComparison({
    ...sides.memory,
    targetId: target.id,
    options: { ...memory.options, [target.id]: options },
  });
  return { ...sides.request, ...options, target: target.id };
}

/**
 * The commit of a row of the editor’s timeline, or of the page on which the editor shows what a commit of its history changed, as far as it says one; null of anything
 * else, such as a source-control provider.
 */
function commitOf(what: unknown): string | null {
  if (typeof what !== 'object' || what === null) return null;
  if ('scheme' in what && 'path' in what && 'query' in what && what.scheme === historyScheme) {
    // Its path ends in “older..newer”; later editors have a query and a path of their own.
    const { path, query } = what as { path: string; query: string };
    return /"historyItemId":"([0-9a-f]{7,64})"/.exec(query)?.[1] ?? /\.\.([0-9a-f]{7,64})$/.exec(path)?.[1] ?? null;
  }
  for (const key of ['ref', 'id'] as const) {
    const value = key in what ? (what as Record<typeof key, unknown>)[key] : undefined;
    if (typeof value === 'string' && /^[0-9a-f]{7,64}$/.test(value)) return value;
  }
  return null;
}

type Sides = Pick<AskedOf<'diff'>, 'base' | 'head' | 'mergeBase'>;

const title = 'Compare Code';
const longestName = 400;

const kinds: readonly (Choice & { kind: CompareMemory['sides'] })[] = [
  { label: 'Working tree against HEAD', description: 'what is not committed yet', icon: 'edit', kind: 'working' },
  { label: 'Working tree against another commit…', description: 'a branch, tag or commit', icon: 'git-commit', kind: 'base' },
  {
    label: 'HEAD against where it parted from a branch…',
    description: 'what a pull request would bring',
    icon: 'git-pull-request',
    kind: 'merge',
  },
  { label: 'Any two commits…', description: 'first the older one', icon: 'git-compare', kind: 'both' },
];

/** Which two versions; what was chosen last is first. With it, what is to be remembered. */
async function askSides({ engine }: Services, memory: CompareMemory): Promise<{ request: Sides; memory: CompareMemory } | undefined> {
  const items = [...kinds.filter(({ kind }) => kind === memory.sides), ...kinds.filter(({ kind }) => kind !== memory.sides)];
  const chosen = await choose(items, 'Which versions of the code?', title);
  if (chosen === undefined) return undefined;
  const { kind } = chosen;
  const names = { ...memory.names };
  const known = kind === 'working' ? null : await engine.request('diff/names', {}).catch(() => null);
  const ask = async (key: string, prompt: string, first: string): Promise<string | undefined> => {
    const name = await chooseName(known, prompt, names[key] ?? first);
    if (name !== undefined) names[key] = name;
    return name;
  };
  const found = (request: Sides) => ({ request, memory: { ...memory, sides: kind, names } });
  if (kind === 'working') return found({});
  const base =
    kind === 'merge' ? await ask('parted', 'The branch that it parted from', 'main') : await ask('older', 'The older version', 'HEAD~1');
  if (base === undefined) return undefined;
  if (kind === 'base') return found({ base });
  if (kind === 'merge') return found({ base, head: 'HEAD', mergeBase: true });
  const head = await ask('newer', 'The newer version', 'HEAD');
  return head === undefined ? undefined : found({ base, head });
}

/**
 * One of the names that the repository knows, or one that is typed; the one of last time is first. Without a repository any is typed, and refused when it is
 * compared.
 */
async function chooseName(known: VersionNames | null, prompt: string, last: string): Promise<string | undefined> {
  if (known === null) return askName(prompt, last);
  const subject = known.commits.find(({ commit }) => commit === last)?.subject;
  const kind = (heading: string, items: readonly NameChoice[]): NameChoice[] =>
    items.length === 0 ? [] : [{ label: heading, heading: true, name: null }, ...items];
  const others = (names: readonly string[], icon: string): NameChoice[] =>
    names.filter((name) => name !== last).map((name) => ({ label: name, icon, name }));
  const chosen = await choose<NameChoice>(
    [
      subject === undefined ? { label: last, name: last } : { label: subject, description: last.slice(0, 7), name: last },
      { label: 'Another name…', description: 'such as v1.2, HEAD~3 or origin/main', icon: 'edit', always: true, name: null },
      ...kind('Branches', others(known.branches, 'git-branch')),
      ...kind(
        'Commits',
        known.commits.map(({ commit, subject: label }) => ({ label, description: commit.slice(0, 7), icon: 'git-commit', name: commit })),
      ),
      ...kind('Tags', others(known.tags, 'tag')),
    ],
    prompt,
    title,
  );
  return chosen === undefined ? undefined : (chosen.name ?? askName(prompt, last));
}

interface NameChoice extends Choice {
  /** What Git calls it; null: it is typed. */
  name: string | null;
}

function askName(prompt: string, value: string): Promise<string | undefined> {
  return askFor({
    title,
    prompt: `${prompt}: a branch, a tag or a commit`,
    value,
    check: (text) =>
      text.trim() === '' ? 'Name a branch, a tag or a commit.' : text.length > longestName ? 'This is too long for a name.' : undefined,
  });
}

/** The only target of the workspace, or the one that is chosen; the one of last time is first. */
async function askTarget({ inventory }: Services, last: string | null): Promise<TargetState | undefined> {
  const { targets } = await inventory.catalog.get();
  const own = targets.filter(({ origin }) => origin === 'workspace');
  const [only] = own;
  if (own.length <= 1) {
    if (only === undefined)
      await offer('This folder declares no service whose versions could be compared.', {
        'Add a Target': () => runCommand('createWorkspaceFile'),
      });
    return only;
  }
  const sorted = [...own.filter(({ id }) => id === last), ...own.filter(({ id }) => id !== last)];
  const items = sorted.map((target) => ({ label: target.label, description: target.description, target }));
  return (await choose(items, 'Versions of which target?', title))?.target;
}

/** How they are compared. Enter alone accepts the options; a change leads back to the list. */
async function askOptions(services: Services, target: TargetState, last: CompareOptions): Promise<CompareOptions | undefined> {
  let options = last;
  for (;;) {
    const items = [
      { label: 'Compare', icon: 'play', description: optionsPhrase(options, target), option: null },
      { label: 'Change', heading: true, option: null },
      ...optionRows(options, target).map(({ option, label, now }) => ({ label, description: now, option })),
    ];
    const chosen = await choose(items, 'Enter compares; choose a line to change it', title);
    if (chosen === undefined) return undefined;
    if (chosen.option === null) return options;
    options = await changed(services, target, options, chosen.option);
  }
}

async function changed(
  services: Services,
  target: TargetState,
  options: CompareOptions,
  option: keyof CompareOptions,
): Promise<CompareOptions> {
  switch (option) {
    case 'route': {
      const items = [{ label: 'The mix', route: undefined }, ...routeNames(target).map((route) => ({ label: route, route }))];
      const chosen = await choose(items, 'One route, or the mix and each of its routes', title);
      return chosen === undefined ? options : withOption(options, 'route', chosen.route);
    }
    case 'load': {
      const { loadProfiles } = await services.inventory.catalog.get();
      const items = loadProfiles.map((profile) => ({ label: profile.name, description: loadPhrase(profile), detail: profile.description }));
      const chosen = await choose(items, 'Which load profile?', title);
      return chosen === undefined ? options : withOption(options, 'load', chosen.label);
    }
    case 'judgeBy': {
      const judgeBy = options.judgeBy ?? usualMetrics;
      const items = versionMetricIds.map((id) => ({ id, label: versionMetrics[id].name, picked: judgeBy.includes(id) }));
      const chosen = (await tick(items, 'The figures that the verdict is made of; the others are shown', title)) ?? [];
      const ids = chosen.map(({ id }) => id);
      return ids.length === 0 ? options : withOption(options, 'judgeBy', ids);
    }
    case 'p99': {
      const items = p99Kinds.filter((p99) => p99 !== 'routes' || target.routes.length > 1).map((p99) => ({ label: p99Names[p99], p99 }));
      const chosen = await choose(items, 'What of p99 is compared at a rate that both can answer?', title);
      return chosen === undefined ? options : withOption(options, 'p99', chosen.p99);
    }
    case 'connections':
      return typed(options, option, 'Connections; empty: as the load profile has it', String(options.connections ?? ''), parseConnections);
    case 'budgetS': {
      const now = options.budgetS === undefined ? '2 min' : durationText(options.budgetS);
      return typed(options, option, 'How long may it take at most?', now, parseCompareBudget);
    }
    case 'delta':
      return typed(options, option, 'Within how many percent are both the same?', String(100 * (options.delta ?? 0.05)), parseDelta);
    case 'slo': {
      const now = options.slo === undefined ? '' : sloPhrase(options.slo);
      return typed(options, option, 'What must hold, such as p99 <= 50 ms; empty: nothing', now, parseObjective);
    }
  }
}

async function typed<K extends keyof CompareOptions>(
  options: CompareOptions,
  option: K,
  prompt: string,
  value: string,
  parse: (text: string) => Parsed<CompareOptions[K] | undefined>,
): Promise<CompareOptions> {
  const text = await askFor({ title, prompt, value, check: (now) => faultIn(parse(now)) });
  const parsed = text === undefined ? null : parse(text);
  return parsed?.ok === true ? withOption(options, option, parsed.value) : options;
}
