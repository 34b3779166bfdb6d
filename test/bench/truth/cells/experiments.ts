import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../../support/engine.ts';
import { benchside, circumstances, newRun, runsOf } from '../benchside.ts';
import { type Cell, countOf, oneByOne } from '../cell.ts';

const documentSchema = z.object({
  experiments: z.array(
    z.object({
      agrees: z.boolean().nullable().optional(),
      summary: z.unknown(),
      missing: z.array(z.object({ message: z.string() })).optional(),
      shape: z.array(z.object({ agrees: z.boolean().nullable(), sentence: z.string() })).optional(),
    }),
  ),
});

const ids = readdirSync(path.join(repositoryDir, 'profiles', 'experiments', 'published'))
  .map((file) => /^([a-e]\d)\b.*\.json$/i.exec(file)?.[1]?.toUpperCase())
  .filter((id) => id !== undefined)
  .sort();

/** The published experiments, each in its short form. */
export const experiments: Cell = {
  name: 'experiments',
  title: `The ${ids.length} published experiments in short form`,
  goal: 'undecided ≤ 2',
  how: '`benchside experiment <id>`, once each; where the code or a plan was changed afterwards, measured again, and the last of each counts (all are listed). Whether a shape agrees with the published one is another question than whether it could be decided.',
  variants: ids,
  times: 1,
  outcomes: ['agrees', 'does not agree', 'cannot tell', 'not run here', 'failed'],
  measure: oneByOne(async (id, { workspace, signal, extra }) => {
    const before = runsOf(workspace);
    const called = await benchside(['experiment', id, ...extra], workspace, signal);
    const noted = { ...circumstances(newRun(workspace, before)), wholeS: called.wholeS };
    const parsed = documentSchema.safeParse(called.stdout.startsWith('{') ? JSON.parse(called.stdout) : null);
    const experiment = parsed.success ? parsed.data.experiments[0] : undefined;
    if (experiment?.missing !== undefined)
      return { ...noted, outcome: 'not run here', said: experiment.missing.map(({ message }) => message).join(' ') };
    if (experiment?.agrees === undefined)
      return { ...noted, outcome: 'failed', said: `ended with status ${String(called.status)}: ${called.lastWords}` };
    const open = (experiment.shape ?? []).filter(({ agrees }) => agrees !== true).map(({ sentence }) => sentence);
    return {
      ...noted,
      outcome: experiment.agrees === null ? 'cannot tell' : experiment.agrees ? 'agrees' : 'does not agree',
      said: (open.length > 0 ? open : (experiment.shape ?? []).map(({ sentence }) => sentence)).join(' '),
    };
  }),
  judge: (results) => {
    const last = [...new Map(results.map((result) => [result.variant, result])).values()];
    const untold = countOf(last, 'cannot tell', 'failed');
    return {
      figures: `${last.length} experiments: agree ${countOf(last, 'agrees')}, do not ${countOf(last, 'does not agree')}, undecided ${untold}, not run here ${countOf(last, 'not run here')}`,
      reached: last.length < ids.length ? null : untold <= 2,
    };
  },
};
