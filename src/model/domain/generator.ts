import * as z from 'zod';

/** What puts the load on in place of Benchside’s own closed loop: processes of k6 on this machine, or runners of its operator in a cluster. */
export const generatorSchema = z.strictObject({
  kind: z.enum(['k6', 'k6-operator']),
  processes: z.number().int().min(1).max(64).describe('of k6, which share each block'),
});
export type Generator = z.infer<typeof generatorSchema>;

export const k6Choices = ['1', '2', '4', '8'] as const;

/** “k6 in 2 processes”: what puts the load on, in the middle of a sentence. */
export function k6Phrase(processes: number): string {
  return processes === 1 ? 'k6' : `k6 in ${processes} processes`;
}

/** As the command line has it: `k6=2`. */
export function generatorText({ kind, processes }: Generator): string {
  return processes === 1 ? kind : `${kind}=${processes}`;
}

const name = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[^\p{Cc}]+$/u, 'a name has no control characters');

/**
 * Where the k6 operator is that generates the load, and how its pods reach the service: `{port}` in the address is replaced with the port of a process on this
 * machine. A person sets it, in a terminal or in settings of this machine: a file of a workspace could name a cluster that is not meant.
 */
export const clusterSchema = z.strictObject({
  context: name,
  namespace: z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'a namespace is lower-case letters, digits and dashes'),
  url: z.string().max(400).refine(isServiceUrl, 'an address such as http://my-service:8080 or http://192.168.0.5:{port}, without a path'),
});
export type Cluster = z.infer<typeof clusterSchema>;

/** Of a k6 on this machine, and of a cluster; an option that was not given is null. */
export const k6ParamsSchema = z.strictObject({
  path: z.string().nullable().describe('null: as BENCHSIDE_K6 says, or the k6 on the PATH'),
  context: z.string().nullable(),
  namespace: z.string().nullable(),
  url: z.string().nullable(),
});
export type K6Params = z.infer<typeof k6ParamsSchema>;
export const noK6Params: K6Params = { path: null, context: null, namespace: null, url: null };

/** Whether a service can be asked there: scheme, host and port, and nothing else. */
export function isServiceUrl(text: string): boolean {
  const plain = text.replace(':{port}', ':1');
  const url = URL.canParse(plain) ? new URL(plain) : null;
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  );
}

/** Whether the service is not a process on this machine. */
export function isElsewhere({ url }: Pick<Cluster, 'url'>): boolean {
  return !url.includes('{port}');
}
