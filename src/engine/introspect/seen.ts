import type { FindingOf } from '../../model/domain/detection.ts';
import type { WrongAnswer } from '../targets/askRoutes.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import type { IntrospectionReport, PoolReport, ThreadPoolReport } from '../../model/domain/probe.ts';
import type { RefusedLogin } from '../targets/refusedLogin.ts';
import type { ParameterRows } from './parameterRows.ts';

/** A route as the framework has it, in our notation; a `*` before its path means a mount point that is not known. */
export type SeenRoute = IntrospectionReport['routes'][number];

type NamedDatabase = NonNullable<IntrospectionReport['databases']>[number];

/** What was seen of a service while it ran once. */
export interface Seen {
  /** The port that it was given, and that on which it answers. */
  given: number;
  port: number;
  routes: readonly SeenRoute[];
  /** The variables that it reads, with the line of its own that does. */
  variables: Readonly<IntrospectionReport['variables']>;
  /** System properties of Java that its own classes name. */
  properties: readonly string[];
  /** The databases that it names for its clients of pg and postgres.js, or for JDBC, and of these the ones in whose place the probe led it to its own. */
  named: readonly NamedDatabase[];
  led: readonly NamedDatabase[];
  /** What its settings were set to, so that it shows which of them its pools follow. */
  tried: SettingValues;
  pools: readonly Pick<PoolReport, 'kind' | 'name' | 'max' | 'total' | 'resizable'>[];
  threads: readonly Pick<ThreadPoolReport, 'kind' | 'max'>[];
  /** Connections to the database that it was given; null where it was given none. */
  connections: number | null;
  /** Whether a pool of it is for that database, though it may have opened no connection; `byProbe`: because the probe leads its clients there. */
  isMeant: boolean;
  byProbe: boolean;
  /** What its output says of a connection to a database that it did not get, as a clause; null where it says nothing of that. */
  refused: string | null;
  /** Whom or what PostgreSQL refused, as its output says. */
  login: RefusedLogin | null;
  /** The variables by which it was given that address though no file names them: those that every driver of libpq’s kind reads. */
  libpq: boolean;
  /** By method and path of the routes that were asked once: what was wrong with the answer; null: nothing. */
  answers: ReadonlyMap<string, WrongAnswer | null>;
  /** Those of them that wrote to the database. */
  writes: ReadonlySet<string>;
  /** What was only guessed, and was answered well when it was asked once. */
  asked: readonly FindingOf<'route'>[];
  /** By path and name of a parameter. */
  ranges: ReadonlyMap<string, ParameterRows>;
  /** From its start until it answered for the first time. */
  startUpMs: number;
  /** Whether there was a probe within. */
  probed: boolean;
}

/** The variables that drivers of PostgreSQL read without code of the app. */
export const libpqVariables = { host: 'PGHOST', port: 'PGPORT', user: 'PGUSER', password: 'PGPASSWORD', database: 'PGDATABASE' } as const;

/** How a finding is known that the running service showed. */
export const seenPhrase = 'seen when it ran';
