import { failure } from '../../model/domain/failure.ts';
import type { Slo } from '../../model/domain/slo.ts';
import type { Role, ScenarioStep, Stage } from '../../model/domain/scenario.ts';
import type { BlockPlan } from '../load/loadPlans.ts';
import type { MixRequest, OpenLoopPlan } from '../load/loadProtocol.ts';
import { routeName } from '../load/requestMix.ts';
import { type ParameterDraw, drawsOf, looksLikeJson } from '../load/parameterDraw.ts';
import { type DrawnTemplate, drawnTemplate } from '../load/requestSequence.ts';
import { type CompiledStep, compileRoles } from '../load/scenario/compileRoles.ts';
import { fewestOf } from '../load/scenario/roleShares.ts';
import { stagesSeconds } from '../load/stages/stages.ts';

interface K6Request {
  name: string;
  method: MixRequest['method'];
  upTo: number;
  draws: readonly ParameterDraw[];
  path: DrawnTemplate;
  headers: Record<string, string>;
  body: DrawnTemplate | null;
}

type K6Step = Pick<CompiledStep, 'method' | 'path' | 'headers' | 'body' | 'readsBody' | 'thinkMs'> &
  Pick<ScenarioStep, 'name' | 'assets' | 'expect'> & {
    multipart: readonly object[] | null;
    extract: readonly { name: string; from: string }[];
  };

interface K6Role {
  name: string;
  once: readonly K6Step[];
  steps: readonly K6Step[];
  /** Users of this role over time, where their number changes. */
  stages: readonly Stage[] | null;
}

interface CommonTraffic {
  timeoutMs: number;
  /** Users over time; null: as many as the trial has connections, throughout. */
  stages: readonly Stage[] | null;
  open: OpenLoopPlan | null;
  thinkTimeMs: number;
  /** What becomes k6’s thresholds. */
  slo: Slo | null;
}

/** What profiles/k6/script.js does, as it finds it in plan.json. */
export type K6Traffic =
  | (CommonTraffic & { kind: 'mix'; requests: readonly K6Request[] })
  | (CommonTraffic & { kind: 'roles'; roles: readonly K6Role[]; roleOfUser: readonly number[] });

type Load = Pick<BlockPlan, 'mix' | 'timeoutMs' | 'thinkTimeMs' | 'open' | 'scenario' | 'requests' | 'connections'>;

/** The traffic of a block, for k6. Fails with `k6-cannot` and a sentence for what k6 cannot do as Benchside's generator does. */
export function k6Traffic(load: Load, slo: Slo | undefined): K6Traffic {
  const { mix, scenario, open = null, thinkTimeMs = 0, timeoutMs } = load;
  if (load.requests !== undefined)
    throw cannot('A block that ends after a number of requests cannot be given to k6, which has no such end of a measured window.');
  const roles = scenario?.roles ?? [];
  const stages = scenario === undefined || isConstant(scenario.stages) ? null : scenario.stages;
  const common = { timeoutMs, open, thinkTimeMs, slo: slo ?? null, stages };
  if (roles.length === 0) return { kind: 'mix', ...common, requests: k6Requests(mix) };
  if (stages !== null && risesAgain(stages)) {
    throw cannot('Users with roles who leave and are followed by others cannot be given to k6, which brings the same ones back.');
  }
  return {
    kind: 'roles',
    ...common,
    roles: k6Roles(roles, stages),
    roleOfUser: arrivals(roles, stages === null ? load.connections : 0),
  };
}

function k6Requests(mix: readonly MixRequest[]): K6Request[] {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  return mix.map((request) => {
    reached += request.weight / total;
    // In the order in which Benchside draws them.
    const names = Object.keys(request.parameters).sort();
    const headers = sendable(request.headers, routeName(request));
    const isJson = request.body !== undefined && looksLikeJson(request.body);
    const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    return {
      name: routeName(request),
      method: request.method,
      upTo: reached,
      draws: drawsOf(request, names),
      path: drawnTemplate(request.path, names),
      headers: isJson && !hasType ? { ...headers, 'Content-Type': 'application/json' } : headers,
      body: request.body === undefined ? null : drawnTemplate(request.body, names),
    };
  });
}

function k6Roles(roles: readonly Role[], stages: readonly Stage[] | null): K6Role[] {
  const compiled = compileRoles(roles).roles;
  return roles.map((role, index) => {
    const ready = (steps: readonly ScenarioStep[], all: readonly CompiledStep[]): K6Step[] =>
      steps.flatMap((step, at) => {
        const one = all[at];
        return one === undefined ? [] : [k6Step(role, step, one)];
      });
    return {
      name: role.name,
      once: ready(role.once, compiled[index]?.once ?? []),
      steps: ready(role.steps, compiled[index]?.steps ?? []),
      stages: stages?.map(({ users, seconds }) => ({ seconds, users: countOf(roles, index, users) })) ?? null,
    };
  });
}

function k6Step(role: Role, step: ScenarioStep, compiled: CompiledStep): K6Step {
  if (/[\p{Cc}]/u.test(step.name)) throw cannot(`A step of role ‘${role.name}’ has a control character in its name.`);
  if (compiled.headers.some(({ name }) => name === 'cookie'))
    throw cannot(
      `Step ‘${step.name}’ of role ‘${role.name}’ has a Cookie header of its own, which k6 would put in the place of its user’s cookies.`,
    );
  const { method, path, headers, body, readsBody, thinkMs } = compiled;
  return {
    name: step.name,
    method,
    path,
    headers,
    body,
    readsBody,
    thinkMs,
    multipart:
      compiled.multipart?.map((part) => ({ ...part, fileName: part.fileName ?? null, contentType: part.contentType ?? null })) ?? null,
    extract: Object.entries(step.extract).map(([name, from]) => ({ name, from })),
    assets: step.assets,
    expect: step.expect,
  };
}

/** Which role each user has, in the order of their arrival. */
function arrivals(roles: readonly Role[], users: number): number[] {
  const counts = roles.map(() => 0);
  return Array.from({ length: users }, () => {
    const which = fewestOf(roles, counts);
    counts[which] = (counts[which] ?? 0) + 1;
    return which;
  });
}

function countOf(roles: readonly Role[], index: number, users: number): number {
  return arrivals(roles, users).filter((which) => which === index).length;
}

/** All at once, and then the same number to the end. */
function isConstant(stages: readonly Stage[]): boolean {
  const [first] = stages;
  return first?.seconds === 0 && stages.every(({ users }) => users === first.users) && stagesSeconds(stages) > 0;
}

function risesAgain(stages: readonly Stage[]): boolean {
  let before = 0;
  let fell = false;
  for (const { users } of stages) {
    if (users > before && fell) return true;
    fell ||= users < before;
    before = users;
  }
  return false;
}

/** What HTTP has of its own is left to k6; a wish to close each connection is one of its whole test, not of a route. */
function sendable(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([header]) => !/^(content-length|transfer-encoding|keep-alive|upgrade|expect)$/i.test(header),
  );
  if (entries.some(([header, value]) => /^connection$/i.test(header) && /^close$/i.test(value.trim())))
    throw cannot(`Route ${name} closes its connections, which k6 does for all requests of a test or for none.`);
  return Object.fromEntries(entries.filter(([header]) => !/^connection$/i.test(header)));
}

function cannot(sentence: string): Error {
  return failure('k6-cannot', sentence, 'Choose another load profile, or leave that out of it.');
}
