import { failure } from '../../model/domain/failure.ts';
import { type Generator, type K6Params, isElsewhere } from '../../model/domain/generator.ts';
import type { RunRequest } from '../../model/domain/run.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { k6Traffic } from '../k6/k6Traffic.ts';
import { planByProfile, profileBlock } from '../load/profileBlock.ts';
import type { RunPlan } from './plan.ts';

/** What is asked for besides the blocks that k6 puts the load of. */
type Besides = Pick<RunRequest, 'raw' | 'record' | 'confirm'> & { searching: boolean; proxied: boolean };

/** Refuses what k6 cannot put on in the place of our own generator, before anything is started. Fails with `k6-cannot`. */
export function refuseForK6(
  { load, mixes, processes: planned, trials }: RunPlan,
  { kind, processes }: Generator,
  { raw, proxied, ...besides }: Besides,
  { url }: Pick<K6Params, 'url'>,
): void {
  if (raw !== undefined)
    throw failure(
      'k6-cannot',
      'Raw samples are kept by Benchside’s own generator, and k6 is to put the load on.',
      'Leave one of the two out.',
    );
  const listener = planned.find(({ declared }) => declared.target.port.socket !== undefined);
  if (listener !== undefined && !proxied)
    throw failure(
      'k6-cannot',
      `k6 does not speak over Unix sockets, and ${listener.declared.target.id} listens on one.`,
      'Let it listen on a port, put nginx before it (--proxy), or leave the load to Benchside’s own generator.',
    );
  if (kind === 'k6-operator' && url !== null && isElsewhere({ url })) refuseElsewhere(besides);
  const fewest = Math.min(...trials.map(({ connections }) => connections));
  if (load.ratePerS === undefined && processes > fewest)
    throw failure(
      'k6-cannot',
      `${processes} ${kind === 'k6' ? 'processes of k6' : 'runners'} cannot share ${fewest} connections.`,
      `Choose fewer ${kind === 'k6' ? 'processes' : 'runners'}, or more connections.`,
    );
  for (const { mix } of mixes.values()) {
    const plan = { host: '127.0.0.1', port: 80, connections: fewest, ...profileBlock(load, 1), mix };
    k6Traffic(planByProfile(load, plan), undefined);
  }
}

/** What a record says of a load that k6 put on. */
export function generatorNotes({ kind }: Generator, { url }: Pick<K6Params, 'url'>, of: 'run' | 'tuning'): RunNote[] {
  const elsewhere = kind === 'k6-operator' && url !== null && isElsewhere({ url });
  return [{ code: 'k6-load', of }, ...(elsewhere ? [{ code: 'k6-cluster', url } as const] : [])];
}

/** Refuses work on processes of this machine: with a service in the cluster it would act on the script that sets the values. */
function refuseElsewhere({ record, confirm, searching }: Omit<Besides, 'raw' | 'proxied'>): void {
  const asked =
    record !== undefined
      ? 'A flame graph is recorded'
      : confirm === true
        ? 'Values are confirmed in fresh processes'
        : searching
          ? 'p99 of a tuning is measured at a fixed rate by Benchside’s own generator, and processes are looked at,'
          : null;
  if (asked === null) return;
  throw failure(
    'k6-cannot',
    `${asked} on this machine, and the service is in the cluster.`,
    'Leave that out, compare the values by “benchside run”, or let the pods ask a process of this machine: --k6-url http://THIS-MACHINE:{port}.',
  );
}
