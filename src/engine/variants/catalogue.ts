import { code } from './keys/code.ts';
import { cores } from './keys/cores.ts';
import { java } from './keys/java.ts';
import { jvmGc } from './keys/jvmGc.ts';
import { jvmHeap } from './keys/jvmHeap.ts';
import { node } from './keys/node.ts';
import { nodeHeap } from './keys/nodeHeap.ts';
import { nodeSemiSpace } from './keys/nodeSemiSpace.ts';
import { postgresSetting } from './keys/postgresSetting.ts';
import { rows } from './keys/rows.ts';
import { rtt } from './keys/rtt.ts';
import { sql } from './keys/sql.ts';
import { uvThreads } from './keys/uvThreads.ts';
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
