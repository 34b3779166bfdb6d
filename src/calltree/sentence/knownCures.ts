import type { KnownCost, ProfileNote } from '../../model/domain/profileNoteKinds.ts';
import { type CallTree, nodeRoles } from '../../model/domain/callTree.ts';

/** By the outermost function of which frame a known cost is seen, and where its file has to be; left out: anywhere. */
const seenBy: readonly { cost: KnownCost; frame: RegExp; file?: RegExp }[] = [
  { cost: 'nested-archives', frame: /^org[./]springframework[./]boot[./]loader[./](?:jar|net|nio|zip|ref)[./]/ },
  { cost: 'caller-data', frame: /^ch[./]qos[./]logback[./].*\bCallerData\.extract$/ },
  {
    cost: 'flush-check',
    frame: /^org[./]hibernate[./].*\b(?:AbstractFlushingEventListener\.flushEntities|DefaultFlushEntityEventListener\.onFlushEntity)$/,
  },
  {
    cost: 'sync-calls',
    frame: /^(?:pbkdf2|scrypt|readFile|writeFile|execFile|exec|spawn|gzip|gunzip|deflate|inflate|brotliCompress|brotliDecompress)Sync$/,
    file: /^node:/,
  },
];

/** A smaller share is not worth a word. */
const least = 0.1;
const idle = nodeRoles.indexOf('idle');

/** What of an event is known to cost a lot, with what helps. Shares are of what is not idle. */
export function knownCures(tree: CallTree, eventName: string): ProfileNote[] {
  const event = tree.events.find(({ name }) => name === eventName);
  if (event === undefined) return [];
  const { name, file } = tree.functions;
  const costOf = Int8Array.from(name, (text, func) =>
    text.length > 1024
      ? -1
      : seenBy.findIndex((one) => one.frame.test(text) && (one.file === undefined || one.file.test(file[func] ?? ''))),
  );
  const within = new Int8Array(tree.nodeCount).fill(-1);
  const sums = seenBy.map(() => 0);
  let all = 0;
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const above = within[tree.parent[node] as number] as number;
    const cost = above === -1 ? (costOf[tree.func[node] as number] as number) : above;
    within[node] = cost;
    if (tree.role?.[node] === idle) continue;
    const weight = event.self[node] as number;
    all += weight;
    if (cost !== -1) sums[cost] = (sums[cost] as number) + weight;
  }
  return seenBy.flatMap(({ cost }, index): ProfileNote | [] => {
    const share = (sums[index] as number) / all;
    return share >= least ? { code: 'known-cost', event: eventName, share, cost } : [];
  });
}
