import * as z from 'zod';
import { type Besides, type OneOf, always, recorded, saidIn, storedSchemaOf, worded } from './findingTable.ts';
import { liveRefusalSchema, refusalText } from './liveRefusal.ts';

/** Why the settings of a target are activated in this mode. */
export const modeReasonKinds = {
  'not-live': worded({ why: liveRefusalSchema }).says(({ why }) => `Not live: ${refusalText(why)}`),
  'one-process': always('One process, warmed once; its settings are changed while it runs.'),
  'process-each': always('One process for each target and setting, warmed once; the load turns from one to the next.'),
  'fixed-port': worded({ name: z.string(), port: z.number() }).says(
    ({ name, port }) => `${name} always uses port ${port}, so its processes cannot run side by side: each is started again for its block.`,
  ),
  'one-socket': worded({ name: z.string(), socket: z.string() }).says(
    ({ name, socket }) =>
      `${name} always uses the Unix socket ${socket}, so its processes cannot run side by side: each is started again for its block.`,
  ),
  'many-connections': worded({ connections: z.number(), most: z.number() }).says(
    ({ connections, most }) =>
      `All pools together want ${connections} connections and PostgreSQL allows ${most}: each process is started again for its block.`,
  ),
  'much-memory': worded({ processes: z.number(), mebibytes: z.number() }).says(
    ({ processes, mebibytes }) =>
      `${processes} processes side by side could need ${mebibytes} MiB, more than is safely free: each is started again for its block.`,
  ),
  'moved-by-hand': always('One process; its settings were changed by hand while it ran.'),
  'variants-at-once': always('All variants run at once, and the load turns from one to the next.'),
  'variants-in-turn': always('The variants are measured one after the other.'),
  'k6-elsewhere': always('k6 put the load on; whoever ran its tests activated each value.'),
  recorded,
} as const;

const common = { about: z.string().optional().describe('the target, where several have different ones') };

export type ModeReason = OneOf<typeof modeReasonKinds, Besides<typeof common>>;
export const modeReasonSchema = storedSchemaOf('modeReason', modeReasonKinds, common);

export function modeText(reasons: readonly ModeReason[]): string {
  return reasons.map((reason) => `${reason.about === undefined ? '' : `${reason.about}: `}${saidIn(modeReasonKinds, reason)}`).join(' ');
}

/** The reasons of several targets, each once; with the name of the target where the modes differ. */
export function jointReasons(targets: readonly { label: string; mode: string; modeReasons: readonly ModeReason[] }[]): ModeReason[] {
  const differ = new Set(targets.map(({ mode }) => mode)).size > 1;
  const all = targets.map(({ label, modeReasons: [first, ...others] }): ModeReason[] =>
    first === undefined ? [] : [differ ? { ...first, about: label } : first, ...others],
  );
  return [...new Map(all.map((reasons) => [JSON.stringify(reasons), reasons])).values()].flat();
}
