import { bouncerSchema } from '../../src/model/domain/bouncer.ts';
import { parseNumber } from '../../src/model/domain/numberText.ts';
import type { Form } from '../../src/model/protocol/panel.ts';
import { about, optional } from '../../src/model/domain/parsed.ts';
import type { Catalog, TargetState } from '../../src/model/protocol/protocol.ts';
import type { SettingValue } from '../../src/model/domain/setting.ts';
import { type RunTopology, proxySchema } from '../../src/model/domain/topology.ts';

/** The part of the form about what is around the instances, or what is wrong with it, by field name. */
export interface TopologyCheck {
  /** Undefined where the form asks for nothing of it. */
  topology: RunTopology | undefined;
  problems: Record<string, string>;
}

const coresRange = { min: 0.05, max: 64 };

/** Checks the proxy, the PgBouncer, the share of the CPU and the connections that are shared among the instances. */
export function checkTopology(
  form: Form,
  settings: Readonly<Record<string, readonly SettingValue[]>>,
  targets: readonly TargetState[],
  catalog: Pick<Catalog, 'proxyProblem' | 'bouncerProblem'>,
): TopologyCheck {
  const problems: Record<string, string> = {};
  const total = optional(form.totalConnections, (text) => parseNumber(text, { min: 1, max: 10_000, whole: true }));
  if (!total.ok) problems['totalConnections'] = about('Total connections', total.problem);
  else if (total.value !== null) Object.assign(problems, sharedProblem(total.value, settings, targets));
  const cores = optional(form.cpuShare, (text) => parseNumber(text, { ...coresRange, whole: false }));
  if (!cores.ok) problems['cpuShare'] = about('CPU per process', cores.problem);
  const { proxyProblem, bouncerProblem } = catalog;
  if (form.proxy !== 'none' && proxyProblem != null) problems['proxy'] = `${proxyProblem.message} ${proxyProblem.cure}`;
  if (form.bouncer !== 'none' && bouncerProblem != null) problems['bouncer'] = `${bouncerProblem.message} ${bouncerProblem.cure}`;
  if (Object.keys(problems).length > 0 || !total.ok || !cores.ok) return { topology: undefined, problems };
  const { upstreamKeepAlive, staticFiles } = form;
  const proxy = form.proxy === 'none' ? null : proxySchema.parse({ balance: form.proxy, upstreamKeepAlive, staticFiles });
  const bouncer = form.bouncer === 'none' ? {} : { bouncer: bouncerSchema.parse({ mode: form.bouncer }) };
  const asked = form.bouncer !== 'none' || proxy !== null || cores.value !== null || total.value !== null;
  const shared = total.value === null ? {} : { totalConnections: total.value };
  return { topology: asked ? { proxy, cpuShare: cores.value, ...shared, ...bouncer } : undefined, problems };
}

/** Why so many connections cannot be shared out. */
function sharedProblem(
  total: number,
  settings: Readonly<Record<string, readonly SettingValue[]>>,
  targets: readonly TargetState[],
): Record<string, string> {
  const without = targets.find((target) => target.settings['pool'] === undefined);
  if (without !== undefined)
    return {
      totalConnections: `Total connections: ${without.label} has no setting “pool” by which they could be shared out. Leave them empty.`,
    };
  if (settings['pool'] !== undefined)
    return { totalConnections: 'Total connections: the pool of each instance follows from them. Leave the pool size empty, or them.' };
  const most = Math.max(1, ...(settings['instances'] ?? []).map(Number));
  return total < most
    ? { totalConnections: `Total connections: ${total} cannot be shared among ${most} instances. Give at least ${most}.` }
    : {};
}
