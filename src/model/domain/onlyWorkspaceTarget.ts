import { type Failure, failure } from './failure.ts';

/**
 * The id of the one target that the workspace itself declares: what is meant where none is named. Bundled samples do not count. `option` is how another is named,
 * such as `--target`. Fails with `target-unknown` where there is none, or a choice.
 */
export function onlyWorkspaceTarget(
  targets: readonly { id: string; origin: 'sample' | 'lab' | 'workspace' }[],
  problems: readonly Failure[],
  option: string,
): string {
  const own = targets.filter(({ origin }) => origin === 'workspace').map(({ id }) => id);
  const [only] = own;
  if (only === undefined) {
    const [broken] = problems;
    if (broken !== undefined) throw failure('target-unknown', `No target was named. ${broken.message}`, broken.cure);
    const samples = targets.filter(({ origin }) => origin === 'sample').map(({ id }) => id);
    throw failure(
      'target-unknown',
      'No target was named, and this folder declares none of its own.',
      `“benchside init” declares the service of this folder.${samples.length === 0 ? '' : ` ${option} takes a sample: ${samples.join(', ')}.`}`,
    );
  }
  if (own.length > 1)
    throw failure('target-unknown', `This folder declares ${own.length} targets: ${own.join(', ')}.`, `Name one with ${option}.`);
  return only;
}
