import type { RunTopology } from '../model/topology.ts';
import { proxySchema } from '../model/topology.ts';
import { decimal, wholeNumber, wrong } from './values.ts';

interface TopologyValues {
  proxy?: string | undefined;
  'proxy-static'?: boolean | undefined;
  'proxy-close'?: boolean | undefined;
  'cpu-share'?: string | undefined;
  'total-connections'?: string | undefined;
}

/** What is to stand around the instances of a target; undefined when nothing was asked for. What cannot be understood fails with the code `usage`. */
export function runTopology(values: TopologyValues): RunTopology | undefined {
  const { proxy, 'proxy-static': staticFiles, 'proxy-close': close, 'cpu-share': share, 'total-connections': total } = values;
  if (proxy === undefined && staticFiles === true) throw wrong('--proxy-static is for --proxy only.');
  if (proxy === undefined && close === true) throw wrong('--proxy-close is for --proxy only.');
  if (proxy === undefined && share === undefined && total === undefined) return undefined;
  return {
    proxy:
      proxy === undefined
        ? null
        : proxySchema.parse({ balance: balanceNamed(proxy), upstreamKeepAlive: close !== true, staticFiles: staticFiles === true }),
    cpuShare: share === undefined ? null : decimal('--cpu-share', share, 0.05, 64),
    ...(total === undefined ? {} : { totalConnections: wholeNumber('--total-connections', total, 1, 100_000) }),
  };
}

function balanceNamed(text: string): string {
  const choices = proxySchema.shape.balance.unwrap().options;
  const known = choices.find((one) => one === text.replaceAll('_', '-'));
  if (known === undefined) throw wrong(`--proxy ${text}: choose ${choices.join(' or ')}.`);
  return known;
}
