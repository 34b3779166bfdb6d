import path from 'node:path';
import { type Failure, failure } from '../../../model/domain/failure.ts';
import { type ExperimentFile, experimentFileSchema } from '../../../model/domain/experiment.ts';
import { largestTextBytes, readBounded } from '../../files/boundedFile.ts';
import { readOwnAndBundled } from '../../files/ownAndBundled.ts';
import { variantsOf } from '../../strategies/experiment/composeExperiment.ts';
import { experimentsFolder } from '../tuning/savedRequestFiles.ts';
import { plainIssues, plainWords } from '../../targets/schemaIssues.ts';
import type { Toolchain } from '../../targets/toolchain.ts';
import { missingRequirements } from './requirements.ts';

/** Where the repeats of published experiments lie, below the bundled files. */
export const publishedFolder = path.join(experimentsFolder, 'published');
const mostFiles = 200;

/**
 * All experiments by id, and what is wrong with files that cannot be used. A workspace may have its own in a folder of the same name; one with the id of a bundled
 * one replaces it.
 */
export async function readExperiments(
  assetsDir: string,
  workspaceDir: string | null = null,
): Promise<{ experiments: ExperimentFile[]; problems: Failure[] }> {
  const { own, bundled, problems } = await readOwnAndBundled<ExperimentFile>(
    publishedFolder,
    { assetsDir, workspaceDir },
    {
      most: mostFiles,
      read: async (file) =>
        parseExperiment((await readBounded(file, { largestBytes: largestTextBytes })).toString('utf8'), path.basename(file)),
      nameOf: ({ id }) => id,
    },
  );
  return { experiments: [...own, ...bundled].sort((one, other) => (one.id < other.id ? -1 : 1)), problems };
}

/** An experiment from the text of a file; fails with `published-file`, which names the file and the field. Rules may only name variants that there are. */
export function parseExperiment(text: string, name: string): ExperimentFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw problem(name, `it is not JSON (${(error as Error).message})`);
  }
  const parsed = experimentFileSchema.safeParse(json, { error: plainWords });
  if (!parsed.success) {
    const [issue] = plainIssues(parsed.error);
    throw problem(name, issue === undefined ? 'it is not an experiment' : `${issue.path.join('.')}: ${issue.message}`);
  }
  const variants = new Set(parsed.data.variants.map((variant) => variant.name));
  const unknown = parsed.data.shape.flatMap(variantsOf).find((variant) => !variants.has(variant));
  if (unknown !== undefined) throw problem(name, `shape: there is no variant “${unknown}”`);
  return parsed.data;
}

/** The experiment of that id, or those whose id begins with it (`C` is C1 to C4). Fails with `published-unknown`. */
export function findExperiments(experiments: readonly ExperimentFile[], id: string): ExperimentFile[] {
  const wanted = id.toUpperCase();
  const found = experiments.filter((experiment) => experiment.id === wanted || (wanted.length === 1 && experiment.id.startsWith(wanted)));
  if (found.length === 0)
    throw failure(
      'published-unknown',
      `There is no published experiment “${id}”.`,
      `There are: ${experiments.map((experiment) => experiment.id).join(', ')}.`,
    );
  return found;
}

function problem(name: string, what: string): Error {
  return failure('published-file', `${name}: ${what}.`, 'Correct this in the file.');
}

/** The experiment of this id. Fails with `published-unknown`, and with `published-needs` where this machine lacks what it needs. */
export async function requestedExperiment(
  id: string,
  { assetsDir, workspaceDir, toolchain }: { assetsDir: string; workspaceDir: string | null; toolchain: Toolchain },
): Promise<ExperimentFile> {
  const [experiment] = findExperiments((await readExperiments(assetsDir, workspaceDir)).experiments, id);
  if (!experiment) throw failure('published-unknown', `There is no published experiment “${id}”.`, 'Choose one of the list.');
  const [missing] = missingRequirements(experiment.needs, toolchain);
  if (missing !== undefined) throw failure('published-needs', `${experiment.id} cannot be run here. ${missing.message}`, missing.cure);
  return experiment;
}
