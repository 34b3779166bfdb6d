import * as z from 'zod';
import { type OneOf, worded } from './findingTable.ts';
import { listPhrase, wholeNumber } from './format.ts';

const needed = z.number();
const allowed = z.number();

/** Limits of a machine that the highest step of a ladder exceeds, each with what can be done about it. */
export const machineLimitKinds = {
  'open-files': worded({
    of: z.enum(['proxy', 'process']),
    connections: z.number(),
    needed,
    allowed,
    fitting: z.number().describe('connections that so many files are enough for'),
  }).says(
    ({ of, connections, needed: files, allowed: most, fitting }) =>
      `With ${wholeNumber(connections)} connections ${of === 'proxy' ? 'the proxy' : 'a process'} needs about ${wholeNumber(files)} open files, and it may have ${wholeNumber(most)}. Raise the limit for your user (“nofile” in /etc/security/limits.conf, then log in again; in a container --ulimit nofile=${roundUp(files)}), or end the ladder at ${wholeNumber(fitting)}.`,
  ),
  'ephemeral-ports': worded({ needed, allowed }).says(
    ({ needed: ports, allowed: most }) =>
      `${wholeNumber(ports)} connections to one port need as many local ports, and there are ${wholeNumber(most)}. Widen the range (sysctl -w net.ipv4.ip_local_port_range="1024 65535"), or spread the load over more instances without a proxy.`,
  ),
  'listen-backlog': worded({ needed, allowed, queues: z.array(z.string()).describe('settings of the kernel that are too small') }).says(
    ({ needed: opened, allowed: most, queues }) =>
      `When ${wholeNumber(opened)} connections are opened at once, a listening socket queues at most ${wholeNumber(most)} of them; the rest try again after 1 s. Raise the queue: ${listPhrase(queues.map((name) => `sysctl -w ${name}=${roundUp(opened)}`))}; the app’s own listen backlog (511 in Node) may be smaller still.`,
  ),
  'database-connections': worded({ needed, allowed, reserved: z.number().describe('of the needed ones: kept free') }).says(
    ({ needed: sessions, allowed: most, reserved }) =>
      `The pools may open ${wholeNumber(sessions - reserved)} database connections, ${reserved} are kept free, and PostgreSQL allows ${wholeNumber(most)}. Choose pools of at most ${wholeNumber(Math.max(0, most - reserved))} connections together, or raise max_connections of your server.`,
  ),
} as const;

export type MachineLimit = OneOf<typeof machineLimitKinds>;

/** The next power of two, as limits are usually written. */
function roundUp(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
