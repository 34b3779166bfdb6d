import { defined } from '../../model/domain/defined.ts';
import type { FindingOf } from '../../model/domain/detection.ts';
import { type Login, LoginListener } from './loginListener.ts';
import { addressCandidates } from './shellVariables.ts';

type AddressNames = FindingOf<'postgres'>['env'];
type WholeAddress = Pick<AddressNames, 'url' | 'jdbcUrl' | 'r2dbcUrl'>;

/** Who comes by a whole address, unless another variable says who it is. */
const trialUser = 'trial_of_benchside';

/** Addresses of this machine that nobody else uses: each represents one variable that holds a host. */
const placeOf = (index: number): string => `127.77.66.${index + 1}`;
const usualPort = 5432;
/** More variables hold no address of one database. */
const mostParts = 6;

/** Places that represent variables: a client that connects to one has it from that variable. */
export interface AddressTrial {
  /** What the service is given in place of what the shell has. */
  env: Record<string, string>;
  /** Which variables hold the address; null until a connection came. */
  heard: () => AddressNames | null;
  close: () => Promise<void>;
}

/**
 * Opens a listener for each variable of the shell that can hold the address of a database or a part of it, whatever it is called. The addresses that the
 * service gets this way lead to nobody’s data. Null where no variable can.
 */
export async function addressTrial(variables: ReadonlyMap<string, string>): Promise<AddressTrial | null> {
  const { urls, jdbcUrls, r2dbcUrls, parts } = addressCandidates(variables);
  if (urls.length + jdbcUrls.length + r2dbcUrls.length + parts.length === 0) return null;
  const listener = new LoginListener();
  const env: Record<string, string> = {};
  const byPort = new Map<number, WholeAddress>();
  const [hosts, ports] = [new Map<string, string>(), new Map<number, string>()];
  for (const [kind, names] of [['url', urls] as const, ['jdbcUrl', jdbcUrls] as const, ['r2dbcUrl', r2dbcUrls] as const])
    for (const name of names.slice(0, mostParts)) {
      const port = await listener.listen('127.0.0.1', 0);
      if (port === null) continue;
      byPort.set(port, { [kind]: name });
      env[name] =
        kind === 'jdbcUrl'
          ? `jdbc:postgresql://127.0.0.1:${port}/trial`
          : `${kind === 'url' ? 'postgres' : 'r2dbc:postgresql'}://${trialUser}:trial@127.0.0.1:${port}/trial`;
    }
  for (const family of parts) {
    const own = family.hosts.slice(0, mostParts).map((name) => {
      const place = placeOf(hosts.size);
      hosts.set(place, name);
      env[name] = place;
      return place;
    });
    // Where no variable holds the host, it is this machine.
    const places = own.length === 0 ? ['127.0.0.1'] : own;
    for (const name of family.ports.slice(0, mostParts)) {
      const port = await listener.listen(places[0] ?? '', 0);
      if (port === null) continue;
      ports.set(port, name);
      env[name] = String(port);
      for (const place of places.slice(1)) await listener.listen(place, port);
    }
    for (const place of own) await listener.listen(place, usualPort);
  }
  return {
    env,
    heard: () => namesOf(listener.logins, { byPort, hosts, ports }, variables),
    close: async () => listener.close(),
  };
}

/**
 * Whether these are all the variables of the shell that can hold an address, each in the form of its value, and say the whole of one: then there is nothing to
 * try.
 */
export function namesAll(names: AddressNames, variables: ReadonlyMap<string, string>): boolean {
  const { urls, jdbcUrls, r2dbcUrls, parts } = addressCandidates(variables);
  const isOther = (name: string | undefined, ...others: string[][]): boolean => name !== undefined && others.flat().includes(name);
  if (isOther(names.url, jdbcUrls, r2dbcUrls) || isOther(names.jdbcUrl, urls, r2dbcUrls) || isOther(names.r2dbcUrl, urls, jdbcUrls))
    return false;
  const told = new Set(Object.values(names));
  const isWhole =
    names.url !== undefined ||
    names.r2dbcUrl !== undefined ||
    (names.user !== undefined && names.password !== undefined && (names.jdbcUrl ?? names.host) !== undefined);
  return (
    isWhole &&
    [...urls, ...jdbcUrls, ...r2dbcUrls, ...parts.flatMap(({ hosts, ports }) => [...hosts, ...ports])].every((name) => told.has(name))
  );
}

function namesOf(
  logins: readonly Login[],
  {
    byPort,
    hosts,
    ports,
  }: { byPort: ReadonlyMap<number, WholeAddress>; hosts: ReadonlyMap<string, string>; ports: ReadonlyMap<number, string> },
  variables: ReadonlyMap<string, string>,
): AddressNames | null {
  // One that sent its password reveals more.
  const login = logins.find(({ password }) => password !== null) ?? logins[0];
  if (login === undefined) return null;
  const whole = byPort.get(login.port);
  const [host, port] = [hosts.get(login.host), ports.get(login.port)];
  const family = familyOf(Object.values(whole ?? {})[0] ?? host ?? port ?? '');
  const taken = new Set<string>();
  const holds = (value: string | null, hint: RegExp): string | undefined => {
    const name = likeliest(value, hint);
    if (name !== undefined) taken.add(name);
    return name;
  };
  const likeliest = (value: string | null, hint: RegExp): string | undefined => {
    const names = [...variables].flatMap(([name, held]) =>
      value !== null && value !== '' && held === value && !taken.has(name) ? [name] : [],
    );
    const near = names.filter((name) => familyOf(name) === family);
    // User, password and database are often one word.
    const likely = near.length > 0 ? near : names;
    return likely.find((name) => hint.test(name)) ?? (likely.length === 1 ? likely[0] : undefined);
  };
  // An address alone identifies its client, unless another variable overrides it.
  if (whole !== undefined && login.user === trialUser) return whole;
  const user = holds(login.user, /USER|LOGIN|ROLE|ACCOUNT/i);
  const password = holds(login.password, /PASS|PWD|PSWD|SECRET/i);
  if (whole !== undefined) return { ...whole, ...defined({ user, password }) };
  return defined({ host, port, user, password, database: holds(login.database, /NAME|DATABASE|DB|SCHEMA|CATALOG/i) });
}

function familyOf(name: string): string {
  return /^[A-Za-z]+/.exec(name)?.[0] ?? name;
}
