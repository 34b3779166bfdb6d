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

/** The keys of each target with an example; those of targets that have the same keys once. */
export function variantLines(variants: Readonly<Record<string, Variants>>): string[] {
  const alike = new Map<string, { ids: string[]; keys: Variants }>();
  for (const [id, keys] of Object.entries(variants)) {
    const name = keys.map(({ key }) => key).join();
    alike.set(name, { ids: [...(alike.get(name)?.ids ?? []), id], keys });
  }
  return [...alike.values()].flatMap(({ ids, keys }) => {
    if (keys.length === 0) return [];
    const width = Math.max(...keys.map(({ example }) => example.length));
    return [
      `Without a declaration these can be compared, too: benchside run --target ${ids.join('|')}`,
      ...keys.map(({ example, meaning }) => `  --vary ${example.padEnd(width)}  ${meaning}`),
    ];
  });
}
