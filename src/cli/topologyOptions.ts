import { bouncerSchema } from '../model/domain/bouncer.ts';
import { type RunTopology, proxySchema } from '../model/domain/topology.ts';
import { type Values, flag, one } from './options.ts';
import { choice, decimal, listed, whole, wrong } from './values.ts';

const modes = bouncerSchema.shape.mode.unwrap().options;
const balances = proxySchema.shape.balance.unwrap().options;

/** Database connections of all instances together. */
const totalConnections = one('--total-connections <n>', 'database connections of all instances together', whole(1, 100_000));

/** The proxy and pooler around the instances of a target. */
export const topologyOptions = {
  proxy: one(
    '--proxy <balance>',
    `nginx before the instances of each target: ${listed(balances)}; how many instances there are says --set instances=2`,
    choice(balances),
  ),
  proxyStatic: flag('--proxy-static', 'nginx answers /static/ itself, from the folder “static” of the target'),
  proxyClose: flag('--proxy-close', 'a new connection from nginx to an instance for each request'),
  cpuShare: one('--cpu-share <cores>', 'what each process of a target may use, e.g. 0.5', decimal(0.05, 64)),
  totalConnections,
  bouncer: one(
    '--bouncer <mode>',
    `PgBouncer between the instances of each target and PostgreSQL: ${listed(modes)}; its pool is the setting bouncerPool`,
    choice(modes),
  ),
};

/** What is to be around the instances of a target; undefined when nothing was asked for. What makes no sense fails with the code `usage`. */
export function runTopology(values: Values<typeof topologyOptions>): RunTopology | undefined {
  const { proxy, proxyStatic, proxyClose, cpuShare, totalConnections: total, bouncer } = values;
  if (proxy === undefined && proxyStatic) throw wrong('--proxy-static is for --proxy only.');
  if (proxy === undefined && proxyClose) throw wrong('--proxy-close is for --proxy only.');
  if (proxy === undefined && cpuShare === undefined && total === undefined && bouncer === undefined) return undefined;
  return {
    proxy: proxy === undefined ? null : proxySchema.parse({ balance: proxy, upstreamKeepAlive: !proxyClose, staticFiles: proxyStatic }),
    cpuShare: cpuShare ?? null,
    ...(total === undefined ? {} : { totalConnections: total }),
    ...(bouncer === undefined ? {} : { bouncer: bouncerSchema.parse({ mode: bouncer }) }),
  };
}
