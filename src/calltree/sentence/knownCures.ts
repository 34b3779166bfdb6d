import { type CallTree, nodeRoles } from '../../model/domain/callTree.ts';

/** A known cost: where it shows, what helps, and the source. */
interface KnownCost {
  /** The outermost function by which it is seen. */
  frame: RegExp;
  /** Where its file has to be; left out: anywhere. */
  file?: RegExp;
  /** Goes on from “38 % of it …”. */
  does: string;
  cure: string;
  source: string;
}

const knownCosts: readonly KnownCost[] = [
  {
    frame: /^org[./]springframework[./]boot[./]loader[./](?:jar|net|nio|zip|ref)[./]/,
    does: 'looks up classes and resources in the nested archives of a Spring Boot jar',
    cure: 'run it unpacked: “java -Djarmode=tools -jar APP.jar extract”, then the jar in the new folder',
    source: 'https://docs.spring.io/spring-boot/reference/packaging/efficient.html',
  },
  {
    frame: /^ch[./]qos[./]logback[./].*\bCallerData\.extract$/,
    does: 'takes a stack trace for each line that Logback writes',
    cure: 'leave %C, %F, %L, %M and %caller out of the pattern',
    source: 'https://logback.qos.ch/manual/layouts.html',
  },
  {
    frame: /^org[./]hibernate[./].*\b(?:AbstractFlushingEventListener\.flushEntities|DefaultFlushEntityEventListener\.onFlushEntity)$/,
    does: 'compares all loaded entities with what they were before each query',
    cure: 'read in transactions that are read-only, or load less',
    source: 'https://docs.jboss.org/hibernate/orm/current/userguide/html_single/Hibernate_User_Guide.html#flushing',
  },
  {
    frame: /^(?:pbkdf2|scrypt|readFile|writeFile|execFile|exec|spawn|gzip|gunzip|deflate|inflate|brotliCompress|brotliDecompress)Sync$/,
    file: /^node:/,
    does: 'is in functions of Node that hold all other requests up until they return',
    cure: 'call the ones that answer later, without “Sync” in their name',
    source: 'https://nodejs.org/en/learn/asynchronous-work/dont-block-the-event-loop',
  },
];

/** A smaller share is not worth a word. */
const least = 0.1;
const idle = nodeRoles.indexOf('idle');

/** What of an event is known to cost a lot, with what helps, as sentences. Shares are of what is not idle. */
export function knownCures(tree: CallTree, eventName: string): string[] {
  const event = tree.events.find(({ name }) => name === eventName);
  if (event === undefined) return [];
  const { name, file } = tree.functions;
  const costOf = Int8Array.from(name, (text, func) =>
    text.length > 1024
      ? -1
      : knownCosts.findIndex((cost) => cost.frame.test(text) && (cost.file === undefined || cost.file.test(file[func] ?? ''))),
  );
  const within = new Int8Array(tree.nodeCount).fill(-1);
  const sums = knownCosts.map(() => 0);
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
  return knownCosts.flatMap(({ does, cure, source }, index) => {
    const share = (sums[index] as number) / all;
    return share >= least ? [`${(100 * share).toFixed(0)} % of “${eventName}” ${does}; ${cure} (${source}).`] : [];
  });
}
