import path from 'node:path';
import { type FolderFiles, within } from './folderFiles.ts';
import { type SizeName, addressFinding, sizeFinding, sizes } from './parts.ts';
import type { Finding, FindingOf } from '../../model/domain/detection.ts';

/** A variable of the environment that a service reads, and where that is seen. */
export interface Variable {
  name: string;
  /** What it is where nothing is set, or what an example says; null when nothing does. */
  value: string | null;
  because: string;
  /** The text around the place where it is read. */
  around: string;
}

const reads =
  /\bprocess\.env(?:\.([A-Za-z_]\w*)|\[\s*(['"`])([A-Za-z_]\w*)\2\s*\])|\b(?:getenv|sys\.env(?:\.get)?)\(\s*"([A-Za-z_]\w*)"\s*\)|\bgetenv\(\)\s*\.\s*get(?:OrDefault)?\(\s*"([A-Za-z_]\w*)"(?:\s*,\s*"([^"\n]{0,200})")?/g;
/** `const { PORT = 3000, DATABASE_URL: url } = process.env`. */
const taken = /\{([^{}]*)\}\s*=\s*process\.env\b(?!\s*[.[])/g;
const takenName = /(?:^|,)\s*([A-Za-z_]\w*)(?:\s*:\s*[\w$]+)?(?:\s*=\s*(?:(['"`])([^'"`]*)\2|([\w.-]+)))?/g;
const fallback = /^\s*(?:\?\?|\|\||\?:)\s*['"`]?([\w:/.@-]*)['"`]?/;
/** Names that are handed to a function of the service’s own, which reads them. */
const named = /(['"`])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT)\1/g;
/** `env("POOL_SIZE", 8)`, `envOr("DB_URL", "jdbc:postgresql://localhost/shop")`. */
const otherwise = /^\s*,\s*(?:(['"`])([^'"`\n]{1,200})\1|(\d{1,9}))\s*\)/;
const otherwiseCharacters = 250;
/** Nobody calls a variable so. */
const longestName = 128;
const mostVariables = 2_000;
/** Where several variables are read at once, this much of the text is searched for what is done with them. */
const longestTaken = 2_000;
/** `.env.example`, `.env.local.sample`, `env_template`, `example.env`. */
const exampleName =
  /^(?:\.?env(?:[._-]\w+)?[._-](?:example|sample|template|dist|defaults?)|(?:example|sample|template|default)s?[._-]?\.?env)$/i;
const ownName = '.env';

/**
 * The variables that these sources read, then those that they only name, then those that an example of `.env` names. Values of `.env` itself are not used: they
 * may be secret.
 */
export function variablesOf(files: FolderFiles, folder: string, sources: readonly string[]): Variable[] {
  const found = new Map<string, Variable>();
  const isTaken = (name: string): boolean => name.length <= longestName && (found.has(name) || found.size < mostVariables);
  for (const file of sources) {
    const text = files.text(file) ?? '';
    for (const match of text.matchAll(reads)) {
      const name = match[1] ?? match[3] ?? match[4] ?? match[5] ?? '';
      if (!isTaken(name)) continue;
      const end = match.index + match[0].length;
      const known = found.get(name);
      const value = match[6] ?? fallback.exec(text.slice(end, end + 120))?.[1] ?? null;
      if (known !== undefined && (known.value !== null || value === null)) continue;
      found.set(name, {
        name,
        value: value === '' ? null : value,
        because: `${file}:${files.lineAt(file, match.index)} reads ${name}`,
        around: text.slice(Math.max(0, match.index - 160), end + 60),
      });
    }
  }
  for (const file of sources) {
    const text = files.text(file) ?? '';
    for (const { 1: names = '', index } of text.matchAll(taken))
      for (const { 0: whole, 1: name = '', 3: quoted, 4: plain, index: at } of names.matchAll(takenName)) {
        const value = quoted ?? plain ?? '';
        if (isTaken(name) && !found.has(name))
          found.set(name, {
            name,
            value: value === '' ? null : value,
            because: `${file}:${files.lineAt(file, index + 1 + at + whole.indexOf(name))} reads ${name}`,
            around: text.slice(Math.max(0, index - 160), index + Math.min(names.length, longestTaken) + 60),
          });
      }
  }
  for (const file of sources) {
    const text = files.text(file) ?? '';
    for (const { 2: name = '', index } of text.matchAll(named))
      if (isTaken(name) && !found.has(name)) {
        const from = index + name.length + 2;
        const [, , quoted, number] = otherwise.exec(text.slice(from, from + otherwiseCharacters)) ?? [];
        const because = `${file}:${files.lineAt(file, index)} names ${name}`;
        found.set(name, { name, value: quoted ?? number ?? null, because, around: '' });
      }
  }
  const examples = files.under(folder).filter((file) => path.posix.dirname(file) === folder && exampleName.test(path.posix.basename(file)));
  for (const file of [...examples, within(folder, ownName)]) {
    for (const [index, line] of (files.text(file) ?? '').split('\n').entries()) {
      const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
      if (name === undefined || !isTaken(name)) continue;
      const written = line.slice(line.indexOf('=') + 1).trim();
      const plain = file === within(folder, ownName) ? '' : written.replace(/^(['"])(.*)\1$/, '$2');
      const value = plain === '' ? null : plain;
      const known = found.get(name) ?? { name, value, because: `${file}:${index + 1} names ${name}`, around: '' };
      // What an example says, too, where its sources do not.
      found.set(name, { ...known, value: known.value ?? value });
    }
  }
  return [...found.values()];
}

/** `"host": "DB_HOST"`, `host: DB_HOST`. */
const mapped = /:\s*(['"]?)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|PG[A-Z]+)\1\s*(?=[,}\]\r\n]|$)/g;

/** The variables that files of data name as values, as one does that says which variable gives which part of a configuration. */
export function mappedVariables(files: FolderFiles, data: readonly string[]): Variable[] {
  const found = new Map<string, Variable>();
  for (const file of data)
    for (const { 2: name = '', index } of (files.text(file) ?? '').matchAll(mapped))
      if (name.length <= longestName && found.size < mostVariables && !found.has(name))
        found.set(name, { name, value: null, because: `${file}:${files.lineAt(file, index)} names ${name}`, around: '' });
  return [...found.values()];
}

const poolName = /POOL.*(?:SIZE|MAX)|(?:MAX|SIZE).*POOL|MAX_?CONN|CONNECTION_?LIMIT|^PG_?POOL$|DB_POOL$/i;
const notTheSize = /TIMEOUT|IDLE|MIN|_MS$|LIFETIME/i;
/** Options that set the size of pools: pg and node-postgres (`max`), Sequelize and Knex (`pool: { max }`), Hikari and dbcp2. */
const poolOption = /(?:\bmax|\bmaximumPoolSize|setMaximumPoolSize|setMaxTotal|connectionLimit|poolSize)\s*[:(=]\s*[^;,{}]*$/;
const threadName = /(?:MAX|NUM|HTTP|JETTY|TOMCAT|SERVER|WORKER)?_?THREADS(?:_MAX)?$/i;

/** The form of the whole address of a database. */
type AddressForm = 'url' | 'jdbcUrl' | 'r2dbcUrl';
/** What takes an address apart for JDBC, and the drivers that speak another protocol than JDBC. */
const readsUrls = /\bgetUserInfo\b|\.userInfo\b|\bfromUri\s*\(|\bPgConnection\b/;
const readsR2dbc = /\bConnectionFactories\s*\.\s*get\s*\(/;

/** The form in which the sources of a JVM service read an address: JDBC’s, unless one of them reads R2DBC’s, or a URL as other runtimes have it. */
export function addressForm(files: FolderFiles, sources: readonly string[]): AddressForm {
  const has = (pattern: RegExp): boolean => sources.some((file) => pattern.test(files.source(file)));
  return has(readsUrls) ? 'url' : has(readsR2dbc) ? 'r2dbcUrl' : 'jdbcUrl';
}

/**
 * The port that a variable gives a service, its pool and its threads, and how it reads the address of its database.
 *
 * @param form that of an address whose variable does not say it by its name or its value
 */
export function variableFindings(variables: readonly Variable[], form: AddressForm = 'url'): Finding[] {
  return [...portFindings(variables), ...settingFindings(variables), ...postgresFindings(variables, form)];
}

function portFindings(variables: readonly Variable[]): FindingOf<'port'>[] {
  const port =
    variables.find(({ name }) => name === 'PORT') ??
    variables.find(({ name }) => /^(?:HTTP|SERVER|APP|LISTEN|WEB|API|BACKEND|SERVICE|NODE|EXPRESS)_?PORT$/.test(name));
  if (port === undefined) return [];
  return [{ part: 'port', title: `port from ${port.name}`, because: port.because, sure: port.around !== '', port: { env: port.name } }];
}

function settingFindings(variables: readonly Variable[]): FindingOf<'setting'>[] {
  const found: FindingOf<'setting'>[] = [];
  const pool =
    variables.find(({ name, around }) => !notTheSize.test(name) && poolOption.test(beforeRead(around, name))) ??
    variables.find(({ name }) => poolName.test(name) && !notTheSize.test(name));
  if (pool !== undefined) found.push(sizeSetting('pool', 10, pool));
  const threads = variables.find(({ name }) => threadName.test(name) && name !== 'UV_THREADPOOL_SIZE');
  if (threads !== undefined) found.push(sizeSetting('threads', 50, threads));
  return found;
}

function beforeRead(around: string, name: string): string {
  const at = around.lastIndexOf(name);
  return at === -1
    ? ''
    : around
        .slice(0, at)
        .replace(/(?:Number(?:\.parseInt)?|parseInt|Integer\.(?:parseInt|valueOf))\s*\(\s*|process\.env\W*$|(?:System\.)?getenv\W*$/g, '');
}

function sizeSetting(setting: SizeName, usual: number, { name, value, because, around }: Variable): FindingOf<'setting'> {
  const written = Number(value);
  const told = Number.isInteger(written) && written >= 1 && written <= sizes[setting].max;
  const size = told ? written : usual;
  const from = `from ${name}, ${size} ${told ? 'by default' : 'is assumed'}`;
  return sizeFinding(setting, size, { env: name }, { from, because, sure: around !== '' });
}

function postgresFindings(variables: readonly Variable[], form: AddressForm): FindingOf<'postgres'>[] {
  const named = (pattern: RegExp): Variable | undefined => variables.find(({ name }) => pattern.test(name));
  const whole = variables.filter(({ name }) => /^(?:DATABASE|POSTGRES|PG|POSTGRESQL|DB)_(?:URL|URI|CONNECTION_STRING|DSN)$/.test(name));
  const byValue = (start: RegExp): Variable[] => variables.filter(({ value }) => start.test(value ?? ''));
  const parts = {
    host: named(/^(?:PG_?HOST|(?:DB|DATABASE|POSTGRES)_HOST(?:NAME)?)$/),
    port: named(/^(?:PG_?PORT|(?:DB|DATABASE|POSTGRES)_PORT)$/),
    user: named(/^(?:PG_?USER|(?:DB|DATABASE|POSTGRES)_USER(?:NAME)?)$/),
    password: named(/^(?:PG_?PASSWORD|(?:DB|DATABASE|POSTGRES)_(?:PASS(?:WORD)?|PWD))$/),
    database: named(/^(?:PG_?DATABASE|(?:DB|DATABASE)_(?:NAME|DATABASE)|POSTGRES_DB)$/),
  };
  const urls = [...byValue(/^postgres(?:ql)?:\/\//), ...(form === 'url' ? whole : [])];
  const isRead = (one: Variable | undefined): boolean => one !== undefined && one.around !== '';
  // One that no source reads, as in an example that was left behind, is not the address where sources read its parts.
  const url = urls.find(isRead) ?? (isRead(parts.host) ? undefined : urls[0]);
  const open = url === undefined ? whole.filter(({ value }) => value === null || !/^[a-z\d]+:(?:\/\/|[a-z])/.test(value))[0] : undefined;
  const jdbcUrl = byValue(/^jdbc:postgresql:/)[0] ?? named(/^JDBC_?(?:DATABASE_)?URL$/) ?? (form === 'jdbcUrl' ? open : undefined);
  const r2dbcUrl =
    byValue(/^r2dbc:(?:pool:)?postgres(?:ql)?:/)[0] ?? named(/^R2DBC_?(?:DATABASE_)?URL$/) ?? (form === 'r2dbcUrl' ? open : undefined);
  // NAME_URL comes with NAME_USERNAME and NAME_PASSWORD.
  const stem = (jdbcUrl ?? r2dbcUrl)?.name.replace(/_?URL$/, '_') ?? '';
  const beside = (...endings: string[]): Variable | undefined =>
    variables.find(({ name }) => endings.some((ending) => name === stem + ending));
  const chosen =
    jdbcUrl === undefined && r2dbcUrl === undefined
      ? url === undefined
        ? parts
        : { url }
      : {
          jdbcUrl,
          r2dbcUrl,
          user: beside('USERNAME', 'USER') ?? parts.user,
          password: beside('PASSWORD', 'PASS', 'PWD') ?? parts.password,
        };
  const known = Object.entries(chosen).flatMap(([key, variable]) => (variable === undefined ? [] : [[key, variable] as const]));
  // A service whose host is in its code goes there, whoever it says it is; a driver that reads libpq’s variables is given these.
  const has = (...names: string[]): boolean => known.some(([key]) => names.includes(key));
  if (!has('url', 'jdbcUrl', 'r2dbcUrl', 'host') && !(has('port') && has('database'))) return [];
  const env = Object.fromEntries(known.map(([key, { name }]) => [key, name]));
  const because = known.map((one) => one[1].because).join('; ');
  return [addressFinding(env, { because, sure: known.every(([, { around }]) => around !== '') })];
}
