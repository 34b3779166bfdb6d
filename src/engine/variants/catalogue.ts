import { postgresSetting, rows, rtt, sql } from './keys/ofDatabase.ts';
import { jvmGc, jvmHeap } from './keys/ofJvm.ts';
import { nodeHeap, nodeSemiSpace, uvThreads } from './keys/ofNode.ts';
import { code, cores } from './keys/ofProcess.ts';
import { java, node } from './keys/runtimes.ts';
import type { VariantKey } from './variantKey.ts';

/** What can be varied without a declaration, in the order in which it is listed. */
export const variantKeys: readonly VariantKey[] = [
  java,
  jvmGc,
  jvmHeap,
  node,
  nodeHeap,
  nodeSemiSpace,
  uvThreads,
  postgresSetting,
  sql,
  rows,
  cores,
  rtt,
  code,
];

/** The entry for a name such as `jvm.gc` or `postgres.work_mem`; undefined of a name that is none of the catalogue’s. */
export function variantKeyOf(name: string): VariantKey | undefined {
  return variantKeys.find(({ key }) => {
    const [before, after] = key.split('<');
    return after === undefined ? key === name : name.startsWith(before ?? '') && /^[a-z][a-z0-9_.]*$/i.test(name.slice(before?.length));
  });
}
