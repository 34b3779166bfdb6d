import { type Finding, type FoundService, findingsOf, variablesNamed } from '../../model/domain/detection.ts';
import { sizeFinding, sizes } from '../detect/parts.ts';
import { freePort } from '../services/freePort.ts';
import { type CommandArgument, commandTaking, commandWith, numbersIn, propertiesOf } from './commandArguments.ts';
import type { Seen } from './seen.ts';

/** Names that can be those of a port or of a pool’s size. They only say what is worth a trial: what a variable does is seen. */
const ofPort = /PORT|LISTEN|BIND|SERVE|HTTP|ADDR/i;
const ofPool = /POOL|CONN|MAX|LIMIT|SIZE|WORKER|CLIENT/i;
/** They hold whole sentences, addresses of others, or what a trial would only break. */
const neither = /URL|URI|DSN|HOST|PASS|PWD|USER|SECRET|TOKEN|KEY|NAME|TIMEOUT|_MS$|PROXY|LOG|DEBUG|^NODE_|^npm_|^PG(?:HOST|PORT)/i;
/** Among the hundreds of properties that a framework looks for, those whose last words are a port or a maximum. */
const sizeOrPort = /(?:^|_)(?:PORT|MAX|MAX_?(?:SIZE|TOTAL|ACTIVE|CONNECTIONS)|(?:MAX(?:IMUM)?_?)?POOL_?(?:MAX_?)?SIZE)$/;
const mostTried = 12;

/** The setting that passes a number to a service: a variable of this name, or a word of its command. */
type ValueSource = string | CommandArgument;

/** What a service is started with once more, to see what does what: each variable, and each word of its command, has a value of its own. */
export interface VariableTrial {
  env: Record<string, string>;
  ports: ReadonlyMap<number, ValueSource>;
  pools: ReadonlyMap<number, ValueSource>;
  /** Its command with the actual port in place of the written one. */
  words: readonly string[];
  /** Whether its command said its port. */
  portInCommand: boolean;
  /** What it is started by; null: by what is known. */
  command: string[] | null;
}

/** What the shell sets to words holds no number, whatever it is called: a service may refuse to start with one there. */
function isNumber(value: string | undefined): boolean {
  return value === undefined || /^\s*\d+\s*$/.test(value);
}

/** What is worth a second start; null where nothing is open, or nothing could be tried. */
export async function variableTrial(service: FoundService, seen: Seen, shell: ReadonlyMap<string, string>): Promise<VariableTrial | null> {
  const told = new Set(service.findings.flatMap(variablesNamed));
  // What the service’s own code reads comes before what a framework looks for, and that before what a library reads.
  const order = ({ name, place, property }: Seen['variables'][number]): number =>
    place !== null ? 0 : property == null ? 3 : /POOL|DATASOURCE|DB|SERVER_PORT/.test(name) ? 1 : 2;
  const read = seen.variables
    .filter(({ property, name }) => property == null || sizeOrPort.test(name))
    .sort((a, b) => order(a) - order(b))
    .map(({ name }) => name);
  const free = [...new Set(read)].filter((name) => !told.has(name) && !neither.test(name) && isNumber(shell.get(name)));
  const properties = seen.properties.filter((name) => !neither.test(name));
  const command = findingsOf(service.findings, 'command')[0]?.command ?? [];
  const words = command.map((word) => word.replace(new RegExp(`(?<![\\d.])${seen.port}(?!\\d)`), '{port}'));
  const portInCommand = words.some((word, index) => word !== command[index]);
  const portIsOpen = seen.port !== seen.given || portInCommand;
  const ports = new Map<number, ValueSource>();
  if (portIsOpen && !portInCommand)
    for (const source of [
      ...free.filter((one) => ofPort.test(one) || shell.get(one) === String(seen.port)).slice(0, mostTried),
      ...propertiesOf(
        words,
        properties.filter((one) => ofPort.test(one)),
      ).slice(0, mostTried),
    ])
      ports.set(await freePort(), source);
  const largest = Math.max(0, ...seen.pools.map(({ max }) => max ?? 0));
  const known = findingsOf(service.findings, 'setting').some(
    (one) => one.name === 'pool' && seen.pools.some(({ max }) => max === seen.tried['pool']),
  );
  const pools = new Map<number, ValueSource>();
  if (!known && largest > 0 && largest + 4 * mostTried < sizes.pool.max)
    for (const source of [
      ...free.filter((one) => ofPool.test(one) && ![...ports.values()].includes(one)).slice(0, mostTried),
      ...byCommand(words, properties, seen.pools),
    ])
      pools.set(largest + 3 + pools.size, source);
  if (ports.size + pools.size === 0 && !(portIsOpen && portInCommand)) return null;
  const all = [...ports, ...pools];
  const env = Object.fromEntries(all.flatMap(([value, source]) => (typeof source === 'string' ? [[source, String(value)]] : [])));
  const inWords = all.flatMap(([value, source]) => (typeof source === 'string' ? [] : [{ source, value: String(value) }]));
  const changed = (portIsOpen && portInCommand) || inWords.length > 0;
  return { env, ports, pools, words, portInCommand, command: changed ? commandWith(words, inWords) : null };
}

/** What of its command can set the size of its pool: a number there that is that size, or a property of Java that its own classes name. */
function byCommand(words: readonly string[], properties: readonly string[], pools: Seen['pools']): CommandArgument[] {
  const numbers = [...new Set(pools.flatMap(({ max }) => (max === null ? [] : [max])))].flatMap((max) => numbersIn(words, max));
  const named = propertiesOf(
    words,
    properties.filter((one) => ofPool.test(one)),
  ).filter(({ replaces }) => !numbers.some((one) => one.replaces === replaces && replaces !== null));
  return [...numbers, ...named].slice(0, mostTried);
}

/** The same trial of half of the variables each; none where there is only one. */
export function halvesOf(trial: VariableTrial): VariableTrial[] {
  const all = Object.entries(trial.env);
  if (all.length < 2) return [];
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)].map((half) => ({ ...trial, env: Object.fromEntries(half) }));
}

/** What the second start has shown: where it listened, and which size its pool had. */
export function shownBy(
  trial: VariableTrial,
  service: FoundService,
  before: Seen,
  after: Pick<Seen, 'port' | 'given' | 'pools'>,
): Finding[] {
  const found: Finding[] = [];
  const [command] = findingsOf(service.findings, 'command');
  const port = trial.ports.get(after.port);
  const byWords = trial.portInCommand && after.port === after.given;
  let words = byWords ? trial.words : (command?.command ?? []);
  if (byWords || (port !== undefined && typeof port !== 'string')) {
    if (port !== undefined && typeof port !== 'string') words = commandWith(words, [{ source: port, value: '{port}' }]);
    const because = 'seen when it ran: it listens where its command says';
    found.push({ part: 'port', title: 'port from its command', because, sure: true, seen: true, port: { env: 'PORT' } });
  } else if (port !== undefined)
    found.push({
      part: 'port',
      title: `port from ${port}`,
      because: `seen when it ran: it listened on ${after.port} when ${port} said so`,
      sure: true,
      seen: true,
      port: { env: port },
    });
  for (const { kind, max } of after.pools) {
    const source = max === null ? undefined : trial.pools.get(max);
    if (source === undefined) continue;
    const size = Math.max(1, ...before.pools.flatMap((one) => (one.kind === kind && one.max !== null ? [one.max] : [])));
    const name = nameOf(source);
    const by = typeof source === 'string' ? { env: source } : { arguments: [source.argument] };
    const because = `seen when it ran: the pool of ${kind} was ${String(max)} when ${name} said so`;
    found.push(sizeFinding('pool', size, by, { from: `from ${name}, ${size} by default`, because, sure: true, seen: true }));
    if (typeof source !== 'string') words = commandTaking(words, inserted(source, words, trial.words));
    break;
  }
  if (command !== undefined && words.join('\0') !== command.command.join('\0')) found.push({ ...command, command: [...words] });
  return found;
}

/** A word’s place after others came in behind the program. */
function inserted(source: CommandArgument, words: readonly string[], before: readonly string[]): CommandArgument {
  return source.replaces === null ? source : { ...source, replaces: source.replaces + words.length - before.length };
}

function nameOf(source: ValueSource): string {
  if (typeof source === 'string') return source;
  return /^(.+)=\{value\}$/s.exec(source.argument)?.[1] ?? 'its command';
}
