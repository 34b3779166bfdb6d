import { FailureError, failure } from '../../model/domain/failure.ts';
import { type FoundService, declaredTarget, findingsOf } from '../../model/domain/detection.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { targetSchema } from '../../model/domain/target.ts';
import { declarableName } from '../detect/madeDatabase.ts';
import { nameOnOurServer } from '../services/databaseOwner.ts';
import type { DatabaseAddress } from '../services/serverUrl.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import type { RefusedLogin } from '../targets/refusedLogin.ts';
import { firstPage } from './reconcile.ts';
import { libpqVariables } from './seen.ts';
import type { VariableTrial } from './variableTrial.ts';

/** Started with its own pool and threads a little larger than usual, to see whether they follow. */
const tryMore = 3;

/** How a service is started before all is known of it. */
export interface Provisional {
  service: FoundService;
  declared: DeclaredTarget;
  /** Its database; null where it has none. */
  address: DatabaseAddress | null;
  values: SettingValues;
  libpq: boolean;
  /** Values that it gets in addition to what is known of it, to see their effect. */
  trial?: Pick<VariableTrial, 'command' | 'portInCommand'> & { env: Readonly<Record<string, string>> };
}

/**
 * What can be started of what the files say; a route is made up where none is known, since it is not asked for. `isLed`: the probe leads to its database what no
 * variable leads there.
 */
export function provisionalTarget(
  service: FoundService,
  workspaceDir: string,
  address: DatabaseAddress | null = null,
  isLed = true,
): Provisional {
  const known = findingsOf(service.findings, 'route').length > 0;
  const isOpen = findingsOf(service.findings, 'postgres').length === 0;
  const libpq = isOpen && isOfNode(service);
  const probe = isLed ? ({ probe: true } as const) : {};
  const mayBeLed = libpq || (isOpen && isLed && canBeLed(service));
  const findings = [
    ...service.findings,
    ...(known ? [] : [firstPage]),
    ...(mayBeLed
      ? [{ part: 'postgres' as const, title: '', because: '', sure: false, env: libpq ? { ...libpqVariables } : {}, ...probe }]
      : []),
  ];
  const declared = declaredTarget(service, findings);
  if (declared === null)
    throw failure(
      'look-not-possible',
      `How ${service.label} is started is not known.`,
      'Write a benchside.json by hand: editors complete it, and say what it may hold.',
    );
  const target = targetSchema.parse(declared);
  const values = Object.fromEntries(
    Object.entries(target.settings).map(([name, spec]) => [
      name,
      spec.kind === 'number' ? (spec.default + tryMore <= spec.max ? spec.default + tryMore : spec.default - 1) : spec.default,
    ]),
  );
  return { service, declared: { target, origin: 'workspace', baseDir: workspaceDir }, address, values, libpq };
}

export function isOfNode({ driver, findings }: FoundService): boolean {
  return driver !== null && findingsOf(findings, 'command')[0]?.runtime === 'node';
}

/** Whether the probe knows how to lead the clients of a service to a database. */
function canBeLed(service: FoundService): boolean {
  return isOfNode(service) || (service.driver !== null && findingsOf(service.findings, 'command')[0]?.runtime === 'jvm');
}

/** A service whose clients the probe leads, whatever variables there are. */
export function ledByProbe(service: FoundService): FoundService {
  const findings = service.findings.filter(({ part }) => part !== 'postgres');
  return { ...service, findings: [...findings, { part: 'postgres', title: '', because: '', sure: false, env: {}, probe: true }] };
}

/**
 * A service whose code itself names its database, with one of that name: on Benchside's own server, which refused it, there is no other. Null where that is not
 * why it was refused.
 */
export function calledAsRefused(
  { service, address }: Pick<Provisional, 'service' | 'address'>,
  login: RefusedLogin | null,
): FoundService | null {
  const [found] = findingsOf(service.findings, 'postgres');
  if (login?.what !== 'database' || address === null || address.external || found === undefined || found.database !== undefined)
    return null;
  const { name } = login;
  if (!declarableName.test(name) || nameOnOurServer(name) !== name) return null;
  const named = { ...found, because: `${found.because}; its code calls its database ${name}`, database: name };
  return { ...service, findings: service.findings.map((one) => (one === found ? named : one)) };
}

/** Whether variables lead to the server, whatever a service takes where one is missing. */
function isWhole({ target: { postgres } }: DeclaredTarget): boolean {
  const { url, jdbcUrl, r2dbcUrl, host, port } = postgres?.env ?? {};
  return (url ?? jdbcUrl ?? r2dbcUrl) !== undefined || (host !== undefined && port !== undefined);
}

/** Whatever else went wrong is no reason to make its database again. */
export function didNotComeUp(error: unknown): boolean {
  return error instanceof FailureError && (error.failure.code === 'target-exited' || error.failure.code === 'target-not-ready');
}

/**
 * Another way to give a service its database, after this error: by the probe where it went to another one, and without it where it did not come up with it.
 * Null where there is none.
 */
export function otherLead({ service, address, declared }: Provisional, error: unknown, workspaceDir: string): Provisional | null {
  const isLed = declared.target.postgres?.probe === true;
  const code = error instanceof FailureError ? error.failure.code : null;
  // A tool that starts it again after a change waits for one where it exited.
  const wentElsewhere = code === 'other-database' || code === 'target-exited' || (code === 'target-not-ready' && !isWhole(declared));
  if (wentElsewhere && !isLed && address !== null && canBeLed(service))
    return provisionalTarget(ledByProbe(service), workspaceDir, address);
  const isAssumed = findingsOf(service.findings, 'postgres').length === 0;
  return isAssumed && isLed && didNotComeUp(error) ? provisionalTarget(service, workspaceDir, address, false) : null;
}
