import * as vscode from 'vscode';
import type { ParamsInput } from '../../model/protocol.ts';
import { measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import { inform } from '../kit/words/messages.ts';
import { askFor, choose } from '../kit/words/picks.ts';

type Request = ParamsInput<'diff/start'>;
type Sides = Pick<Request, 'base' | 'head' | 'mergeBase'>;

const longestName = 400;

/** Compares two versions of the workspace’s code; asks for those that the argument does not tell. A comparison that is repeated may take `budgetS`. */
export async function compareCode(services: Services, what: unknown, budgetS?: number): Promise<void> {
  const again = typeof what === 'string' ? await requestOf(services, what) : null;
  const repeated = again === null || budgetS === undefined ? again : { ...again, budgetS };
  const request = repeated ?? (await askedFor(services, commitOf(what)));
  if (request !== undefined) await measure(services, { kind: 'diff', request });
}

/** What a stored comparison asked for; null of any other run. */
async function requestOf({ engine, inventory }: Services, id: string): Promise<Request | null> {
  if (!(await inventory.runs()).some((run) => run.id === id)) return null;
  const { run } = await engine.request('runs/get', { id });
  const { versions, request, delta } = run;
  if (versions?.asked === undefined) return null;
  const { load, route, connections, budgetS } = request;
  return {
    ...versions.asked,
    load,
    delta,
    ...(route === undefined ? {} : { route }),
    ...(connections?.[0] === undefined ? {} : { connections: connections[0] }),
    ...(budgetS === undefined ? {} : { budgetS }),
  };
}

async function askedFor(services: Services, commit: string | null): Promise<Request | undefined> {
  const sides = commit === null ? await askSides() : { base: commit };
  if (sides === undefined) return undefined;
  const target = await askTarget(services);
  return target === undefined ? undefined : { ...sides, target };
}

async function askSides(): Promise<Sides | undefined> {
  const chosen = await choose(
    [
      { label: 'Working tree against HEAD', description: 'what is not committed yet', icon: 'edit', kind: 'working' as const },
      { label: 'Working tree against another commit…', description: 'a branch, tag or commit', icon: 'git-commit', kind: 'base' as const },
      {
        label: 'HEAD against where it parted from a branch…',
        description: 'what a pull request would bring',
        icon: 'git-pull-request',
        kind: 'merge' as const,
      },
      { label: 'Any two commits…', description: 'first the older one', icon: 'git-compare', kind: 'both' as const },
    ],
    'Which versions of the code?',
    'Compare Code',
  );
  if (chosen === undefined) return undefined;
  if (chosen.kind === 'working') return {};
  const base = await askName(
    chosen.kind === 'merge' ? 'The branch that it parted from' : 'The older version',
    chosen.kind === 'merge' ? 'main' : 'HEAD~1',
  );
  if (base === undefined) return undefined;
  if (chosen.kind === 'base') return { base };
  if (chosen.kind === 'merge') return { base, head: 'HEAD', mergeBase: true };
  const head = await askName('The newer version', 'HEAD');
  return head === undefined ? undefined : { base, head };
}

function askName(prompt: string, value: string): Promise<string | undefined> {
  return askFor({
    title: 'Compare Code',
    prompt: `${prompt}: a branch, a tag or a commit`,
    value,
    check: (text) =>
      text.trim() === '' ? 'Name a branch, a tag or a commit.' : text.length > longestName ? 'This is too long for a name.' : undefined,
  });
}

/** The only target of the workspace, or the one that is chosen. */
async function askTarget({ inventory }: Services): Promise<string | undefined> {
  const { targets } = await inventory.catalog();
  const own = targets.filter(({ origin }) => origin === 'workspace');
  const [only] = own;
  if (own.length <= 1) {
    if (only === undefined) {
      const add = await inform('This folder declares no service whose versions could be compared.', 'Add a Target');
      if (add !== undefined) await vscode.commands.executeCommand('benchside.createWorkspaceFile');
    }
    return only?.id;
  }
  const items = own.map(({ id, label, description }) => ({ id, label, description }));
  return (await choose(items, 'Versions of which target?', 'Compare Code'))?.id;
}

/** The commit of a row of the editor’s timeline or history, as far as it says one; null of anything else, such as a source-control provider. */
function commitOf(what: unknown): string | null {
  if (typeof what !== 'object' || what === null) return null;
  for (const key of ['ref', 'id'] as const) {
    const value = key in what ? (what as Record<typeof key, unknown>)[key] : undefined;
    if (typeof value === 'string' && /^[0-9a-f]{7,64}$/.test(value)) return value;
  }
  return null;
}
