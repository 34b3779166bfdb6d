import { findingsOf, variablesTold } from '../../model/discovery.ts';
import type { Finding, FindingOf, FoundService } from '../../model/discovery.ts';
import { freePort } from '../services/freePort.ts';
import type { Seen } from './seen.ts';

/** Names that can be those of a port or of a pool’s size. They only say what is worth a trial: what a variable does is seen. */
const ofPort = /PORT|LISTEN|BIND|SERVE|HTTP|ADDR/i;
const ofPool = /POOL|CONN|MAX|LIMIT|SIZE|WORKER|CLIENT/i;
/** They hold whole sentences, addresses of others, or what a trial would only break. */
const neither = /URL|URI|DSN|HOST|PASS|PWD|USER|SECRET|TOKEN|KEY|NAME|TIMEOUT|_MS$|PROXY|LOG|DEBUG|^NODE_|^npm_|^PG(?:HOST|PORT)/i;
/** Of the hundreds of properties that a framework looks for, those whose last words are a port or the most of something. */
const sizeOrPort = /(?:^|_)(?:PORT|MAX|MAX_?(?:SIZE|TOTAL|ACTIVE|CONNECTIONS)|(?:MAX(?:IMUM)?_?)?POOL_?(?:MAX_?)?SIZE)$/;
const mostTried = 12;
const mostConnections = 256;

/** What a service is started with once more, to see which variable does what: each has a value of its own. */
export interface VariableTrial {
  env: Record<string, string>;
  ports: ReadonlyMap<number, string>;
  pools: ReadonlyMap<number, string>;
  /** Its command with the port that it was given in place of the one that stands there; null where none does. */
  command: string[] | null;
}

/** What the shell sets to words holds no number, whatever it is called: a service may refuse to start with one there. */
function isNumber(value: string | undefined): boolean {
  return value === undefined || /^\s*\d+\s*$/.test(value);
}

/** What is worth a second start; null where nothing is open, or nothing could be tried. */
export async function variableTrial(service: FoundService, seen: Seen, shell: ReadonlyMap<string, string>): Promise<VariableTrial | null> {
  const told = new Set(service.findings.flatMap(variablesTold));
  // What the service’s own code reads comes before what a framework looks for, and that before what a library reads.
  const order = ({ name, place, property }: Seen['variables'][number]): number =>
    place !== null ? 0 : property == null ? 3 : /POOL|DATASOURCE|DB|SERVER_PORT/.test(name) ? 1 : 2;
  const read = seen.variables
    .filter(({ property, name }) => property == null || sizeOrPort.test(name))
    .sort((a, b) => order(a) - order(b))
    .map(({ name }) => name);
  const free = [...new Set(read)].filter((name) => !told.has(name) && !neither.test(name) && isNumber(shell.get(name)));
  const [command] = findingsOf(service.findings, 'command');
  const words = command?.command.map((word) => word.replace(new RegExp(`(?<![\\d.])${seen.port}(?!\\d)`), '{port}')) ?? [];
  const inCommand = command !== undefined && words.some((word, index) => word !== command.command[index]);
  const portIsOpen = seen.port !== seen.given || inCommand;
  const ports = new Map<number, string>();
  if (portIsOpen && !inCommand)
    for (const name of free.filter((one) => ofPort.test(one) || shell.get(one) === String(seen.port)).slice(0, mostTried))
      ports.set(await freePort(), name);
  const largest = Math.max(0, ...seen.pools.map(({ max }) => max ?? 0));
  const known = findingsOf(service.findings, 'setting').some(
    (one) => one.name === 'pool' && seen.pools.some(({ max }) => max === seen.tried['pool']),
  );
  const pools = new Map<number, string>();
  if (!known && largest > 0 && largest + 2 * mostTried < mostConnections)
    for (const name of free.filter((one) => ofPool.test(one) && ![...ports.values()].includes(one)).slice(0, mostTried))
      pools.set(largest + 3 + pools.size, name);
  if (ports.size + pools.size === 0 && !(portIsOpen && inCommand)) return null;
  const env = Object.fromEntries([...ports, ...pools].map(([value, name]) => [name, String(value)]));
  return { env, ports, pools, command: portIsOpen && inCommand ? words : null };
}

/** What the second start has shown: where it listened, and which size its pool had. */
export function shownBy(
  trial: VariableTrial,
  service: FoundService,
  before: Seen,
  after: Pick<Seen, 'port' | 'given' | 'pools'>,
): Finding[] {
  const port = trial.ports.get(after.port);
  const found: Finding[] = [];
  const [command] = findingsOf(service.findings, 'command');
  if (command !== undefined && trial.command !== null && after.port === after.given) {
    found.push({ ...command, command: [...trial.command] });
    found.push({
      part: 'port',
      title: 'port from its command',
      because: 'seen when it ran: it listens where its command says',
      sure: true,
      seen: true,
      port: { env: 'PORT' },
    });
  }
  if (port !== undefined)
    found.push({
      part: 'port',
      title: `port from ${port}`,
      because: `seen when it ran: it listened on ${after.port} when ${port} said so`,
      sure: true,
      seen: true,
      port: { env: port },
    });
  for (const { kind, max } of after.pools) {
    const variable = max === null ? undefined : trial.pools.get(max);
    if (variable === undefined) continue;
    const size = Math.max(1, ...before.pools.flatMap((one) => (one.kind === kind && one.max !== null ? [one.max] : [])));
    found.push(poolSetting(variable, size, `seen when it ran: the pool of ${kind} was ${String(max)} when ${variable} said so`));
    break;
  }
  return found;
}

function poolSetting(env: string, size: number, because: string): FindingOf<'setting'> {
  return {
    part: 'setting',
    title: `pool size from ${env}, ${size} by default`,
    because,
    sure: true,
    seen: true,
    name: 'pool',
    spec: { kind: 'number', label: 'Pool size', min: 1, max: mostConnections, default: size, env },
  };
}
