import { faultIn } from '../../model/domain/parsed.ts';
import type { RunMarks } from '../../model/domain/run.ts';
import { runRow, type StoredRun } from './runRow.ts';
import { chooseRun, readableRuns, showComparison } from './runCommands.ts';
import { mostTags, parseTags } from './runTags.ts';
import type { Services } from '../services/services.ts';
import { askFor, say } from '../kit/safeUi/dialogs.ts';

const longestName = 80;

/** Names a run, or takes its name away. */
export async function renameRun(services: Services, id?: string): Promise<void> {
  const run = await oneRun(services, id, 'Name which run?');
  if (run === undefined) return;
  const name = await askFor({
    title: 'Rename Result',
    prompt: 'A name for this run; empty: none',
    value: run.marks.name ?? '',
    placeholder: runRow({ ...run, marks: { ...run.marks, name: null } }, new Date()).label,
    check: (text) => (text.trim().length <= longestName ? undefined : `At most ${longestName} characters.`),
  });
  if (name === undefined) return;
  await mark(services, run.id, { ...run.marks, name: name.trim() === '' ? null : name.trim() });
}

/** Gives a run tags, or takes them away. */
export async function tagRun(services: Services, id?: string): Promise<void> {
  const run = await oneRun(services, id, 'Tag which run?');
  if (run === undefined) return;
  const text = await askFor({
    title: 'Tag Result',
    prompt: `Tags, separated by commas, at most ${mostTags}; empty: none`,
    value: run.marks.tags.join(', '),
    check: (typed) => faultIn(parseTags(typed)),
  });
  const parsed = text === undefined ? undefined : parseTags(text);
  if (parsed?.ok === true) await mark(services, run.id, { ...run.marks, tags: parsed.value });
}

/** Makes a run what later runs of the same targets are compared with. There is one for the same targets: another one is unpinned. */
export async function pinBaseline(services: Services, id?: string): Promise<void> {
  const run = await oneRun(services, id, 'Pin which run as the baseline?', ({ marks }) => !marks.baseline);
  if (run !== undefined) await mark(services, run.id, { ...run.marks, baseline: true });
}

export async function unpinBaseline(services: Services, id?: string): Promise<void> {
  const run = await oneRun(services, id, 'Unpin which baseline?', ({ marks }) => marks.baseline);
  if (run !== undefined) await mark(services, run.id, { ...run.marks, baseline: false });
}

/** Keeps what a person wrote of a run. */
async function mark(services: Services, id: string, marks: RunMarks): Promise<void> {
  await services.engine.request('runs/mark', { id, marks });
  services.inventory.runs.refresh();
}

/** Compares a run with the baseline of its targets. */
export async function compareWithBaseline(services: Services, id?: string): Promise<void> {
  const run = await oneRun(services, id, 'Compare which run with its baseline?', ({ marks }) => !marks.baseline);
  if (run === undefined) return;
  const all = await readableRuns(services);
  const key = [...run.targets].sort().join();
  const pinned = all.find(({ marks, targets }) => marks.baseline && [...targets].sort().join() === key);
  const baselineId = run.againstBaseline?.baselineId ?? pinned?.id;
  if (baselineId === undefined) return say('No run of the same targets is pinned as the baseline. Pin one in the Results view first.');
  if (baselineId === run.id) return say('This run is the baseline itself.');
  await showComparison(services, { a: baselineId, b: run.id });
}

async function oneRun(
  services: Services,
  id: string | undefined,
  placeholder: string,
  fits: (run: StoredRun) => boolean = () => true,
): Promise<StoredRun | undefined> {
  const runs = await readableRuns(services);
  const known = runs.find((run) => run.id === id);
  if (known !== undefined || id !== undefined) return known;
  const fitting = runs.filter(fits);
  if (fitting.length === 0 && runs.length > 0) {
    say('There is no run for which that could be done.');
    return undefined;
  }
  return chooseRun(services, placeholder, fitting);
}
