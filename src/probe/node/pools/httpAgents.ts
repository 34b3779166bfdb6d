import { Agent, ClientRequest } from 'node:http';
import { nowUs } from '../clock.ts';
import { Durations } from '../durations.ts';
import { amount, lengthOf, limit, shortText, watchMethod } from '../objects.ts';
import { type OwnReport, type PoolRegistry, type ProbedPool, PoolStates, ownReport } from './poolRegistry.ts';

/** Lists by host, as an agent keeps them. */
type Lists = Readonly<Record<string, unknown>>;
interface KnownAgent {
  sockets: Lists;
  freeSockets: Lists;
  requests: Lists;
  maxSockets: number;
  maxTotalSockets?: number;
}

const onlyLookedAt =
  'Node’s own HTTP agent is only looked at: it opens a socket for whoever waits as soon as one is closed, so that it does not get smaller.';

class AgentPool implements ProbedPool {
  readonly kind = 'http-client';
  readonly acquire = new Durations();
  readonly hold = new Durations();
  readonly #agent: WeakRef<KnownAgent>;

  constructor(
    readonly id: string,
    agent: KnownAgent,
  ) {
    this.#agent = new WeakRef(agent);
  }

  resizable(): null {
    return null;
  }

  /** Of the host with most to do: an agent's limit is one for each host. */
  report(): OwnReport | null {
    const agent = this.#agent.deref();
    if (agent === undefined) return null;
    const hosts = new Set([...Object.keys(agent.sockets), ...Object.keys(agent.freeSockets), ...Object.keys(agent.requests)]);
    const byHost = [...hosts].map((host) => ({
      host,
      busy: lengthOf(agent.sockets[host]),
      idle: lengthOf(agent.freeSockets[host]),
      pending: lengthOf(agent.requests[host]),
    }));
    byHost.sort((a, b) => b.pending - a.pending || b.busy - a.busy);
    const { host = '', busy = 0, idle = 0, pending = 0 } = byHost[0] ?? {};
    const [perHost, ofAll] = [limit(agent.maxSockets), limit(agent.maxTotalSockets)];
    const max = perHost === null ? ofAll : Math.min(perHost, ofAll ?? perHost);
    const figures = { name: shortText(nameOf(host)), max, min: null, total: amount(busy + idle), idle, busy, pending };
    return ownReport(this, figures, this, onlyLookedAt);
  }
}

/** `127.0.0.1:8080:` and so on: host, port, local address, and for TLS much more. */
function nameOf(host: string): string {
  const [name, port] = host.split(':');
  return name === undefined || name === '' ? 'http agent' : `${name}:${port ?? ''}`;
}

/**
 * Agents of `node:http` and `node:https`, from the first request on that an agent gets: waiting lasts until the request has a socket, holding until
 * the socket is given to the next one, put aside or closed. Connecting is part of holding.
 */
export function followHttpAgents(registry: PoolRegistry): void {
  const states = new PoolStates(registry, 'http-agent', (id, agent: KnownAgent) => new AgentPool(id, agent));
  const asked = new WeakMap<object, { state: AgentPool; startUs: number }>();
  const held = new WeakMap<object, { state: AgentPool; sinceUs: number }>();

  const giveBack = (socket: object): void => {
    const holding = held.get(socket);
    if (holding === undefined) return;
    held.delete(socket);
    holding.state.hold.record(nowUs() - holding.sinceUs);
  };

  watchMethod(Agent.prototype, 'addRequest', (agent: KnownAgent, request: object) => {
    asked.set(request, { state: states.of(agent), startUs: nowUs() });
  });
  watchMethod(ClientRequest.prototype, 'onSocket', (request: object, socket: unknown) => {
    const waiting = asked.get(request);
    if (typeof socket !== 'object' || socket === null || waiting === undefined) return;
    giveBack(socket);
    const time = nowUs();
    waiting.state.acquire.record(time - waiting.startUs);
    held.set(socket, { state: waiting.state, sinceUs: time });
  });
  watchMethod(Agent.prototype, 'removeSocket', (_agent: KnownAgent, socket: object) => giveBack(socket));
}
