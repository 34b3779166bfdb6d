import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { TargetState } from '../model/protocol/protocol.ts';

type Variants = NonNullable<TargetState['variants']>;

/** What can be varied without a declaration of each target that was just declared, by the engine’s catalogue. */
export async function variantsOf(ids: readonly string[], engine: EngineClient): Promise<Record<string, Variants>> {
  const { targets } = await engine.request('catalog/get', {});
  return Object.fromEntries(
    targets
      .filter(({ id, origin }) => origin === 'workspace' && ids.includes(id))
      .map(({ id, variants = [] }): [string, Variants] => [id, variants]),
  );
}

/** A name of a file among the values of an example. */
const fileName = /^[A-Za-z][\w-]{0,60}\.[a-z]{2,4}$/;

/**
 * The keys of each target with an example, without those whose example names a file that is not there; those of targets that have the same keys once.
 */
export function variantLines(variants: Readonly<Record<string, Variants>>, isThere: (file: string) => boolean): string[] {
  const canTry = ({ example }: Variants[number]): boolean =>
    example
      .slice(example.indexOf('=') + 1)
      .split(',')
      .every((value) => !fileName.test(value) || isThere(value));
  const alike = new Map<string, { ids: string[]; keys: Variants }>();
  for (const [id, all] of Object.entries(variants)) {
    const keys = all.filter(canTry);
    const name = keys.map(({ key }) => key).join();
    alike.set(name, { ids: [...(alike.get(name)?.ids ?? []), id], keys });
  }
  return [...alike.values()].flatMap(({ ids, keys }) => {
    if (keys.length === 0) return [];
    const width = Math.max(...keys.map(({ example }) => example.length));
    return [
      `These can be compared, too: benchside run --target ${ids.join('|')}`,
      ...keys.map(({ example, meaning }) => `  --vary ${example.padEnd(width)}  ${meaning}`),
    ];
  });
}
