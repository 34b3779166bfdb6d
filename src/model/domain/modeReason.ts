import * as z from 'zod';
import { orRecorded, recordedFigures, saidIn, schemaOf, worded } from './findingTable.ts';
import type { OneOf } from './findingTable.ts';

/** Why the settings of a target cannot be changed while it runs. */
export const liveRefusalKinds = {
  'asked-otherwise': worded({ figures: { mode: z.string() }, says: ({ mode }) => `Asked for: ${mode}.` }),
  'probes-off': worded({ figures: {}, says: () => 'Probes are switched off.' }),
  'probe-absent': worded({ figures: {}, says: () => 'The probe did not come up in the app.' }),
  'nothing-varies': worded({ figures: {}, says: () => 'No setting varies.' }),
  'around-it': worded({ figures: {}, says: () => 'A proxy or a share of the CPU belongs to the process.' }),
  'several-instances': worded({ figures: {}, says: () => 'Several instances share the load.' }),
  'instances-vary': worded({ figures: {}, says: () => 'The number of processes cannot change while they run.' }),
  'runs-already': worded({
    figures: {},
    says: () => 'A process that runs already shows its pool to a probe only when it is a JVM: any other has to be started with it.',
  }),
  'at-start-only': worded({
    figures: { setting: z.string() },
    says: ({ setting }) => `“${setting}” takes effect at the start of the app only.`,
  }),
  'no-number': worded({ figures: { setting: z.string() }, says: ({ setting }) => `“${setting}” is no number.` }),
  /** What a probe, or the PgBouncer before the database, says of itself. */
  refused: worded({ figures: { message: z.string() }, says: ({ message }) => message }),
  recorded: worded({ figures: recordedFigures, says: ({ sentence }) => sentence }),
} as const;

export type LiveRefusal = OneOf<typeof liveRefusalKinds>;
const liveRefusalSchema = orRecorded('liveRefusal', liveRefusalKinds, schemaOf(liveRefusalKinds));

export function refusalText(refusal: LiveRefusal): string {
  return saidIn(liveRefusalKinds, refusal);
}

/** Why the settings of a target are activated in this mode. */
export const modeReasonKinds = {
  'not-live': worded({ figures: { why: liveRefusalSchema }, says: ({ why }) => `Not live: ${refusalText(why)}` }),
  'one-process': worded({ figures: {}, says: () => 'One process, warmed once; its settings are changed while it runs.' }),
  'process-each': worded({
    figures: {},
    says: () => 'One process for each target and setting, warmed once; the load turns from one to the next.',
  }),
  'fixed-port': worded({
    figures: { name: z.string(), port: z.number() },
    says: ({ name, port }) =>
      `${name} always uses port ${port}, so its processes cannot run side by side: each is started again for its block.`,
  }),
  'one-socket': worded({
    figures: { name: z.string(), socket: z.string() },
    says: ({ name, socket }) =>
      `${name} always uses the Unix socket ${socket}, so its processes cannot run side by side: each is started again for its block.`,
  }),
  'many-connections': worded({
    figures: { connections: z.number(), most: z.number() },
    says: ({ connections, most }) =>
      `All pools together want ${connections} connections and PostgreSQL allows ${most}: each process is started again for its block.`,
  }),
  'much-memory': worded({
    figures: { processes: z.number(), mebibytes: z.number() },
    says: ({ processes, mebibytes }) =>
      `${processes} processes side by side could need ${mebibytes} MiB, more than is safely free: each is started again for its block.`,
  }),
  'moved-by-hand': worded({ figures: {}, says: () => 'One process; its settings were changed by hand while it ran.' }),
  'variants-at-once': worded({ figures: {}, says: () => 'All variants run at once, and the load turns from one to the next.' }),
  'variants-in-turn': worded({ figures: {}, says: () => 'The variants are measured one after the other.' }),
  'k6-elsewhere': worded({
    figures: {},
    says: () => 'k6 put the load on; whoever ran its tests activated each value.',
  }),
  recorded: worded({ figures: recordedFigures, says: ({ sentence }) => sentence }),
} as const;

export type ModeReason = OneOf<typeof modeReasonKinds, { about?: string | undefined }>;
export const modeReasonSchema = orRecorded(
  'modeReason',
  modeReasonKinds,
  schemaOf<typeof modeReasonKinds, { about?: string | undefined }>(modeReasonKinds, {
    about: z.string().optional().describe('the target, where several have different ones'),
  }),
);

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
