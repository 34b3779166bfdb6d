import { performance } from 'node:perf_hooks';
import { lookEveryMs } from '../blockEnd.ts';
import type { BlockMeter } from '../blockMeter.ts';
import type { LoadLoop } from '../loadLoop.ts';
import type { BlockCommand, ScenarioMetrics, ScenarioPlan } from '../loadProtocol.ts';
import { type PortAuthority, portAuthorities } from '../loopback.ts';
import { blockSeed, SeededRandom } from '../../statistics/seededRandom.ts';
import { poll } from '../../supervise/pause.ts';
import { stagesSeconds, usersAt } from '../stages/stages.ts';
import { TargetPools } from '../targetPools.ts';
import { type CompiledScenario, compileMix, compileRoles } from './compileRoles.ts';
import { CookieJar } from './cookieJar.ts';
import { Exchange } from './exchange.ts';
import { fewestOf, mostOf } from './roleShares.ts';
import { type UserSurroundings, assetsAtOnce, ScenarioUser } from './scenarioUser.ts';
import { StepMeters } from './stepMeters.ts';

/** How often the number of users is brought to what it is to be. */
const adjustMs = 20;
/** More than these do not arrive at once: a server's queue of connections that wait to be accepted has room for some hundreds. */
const arrivalsAtOnce = 256;
/** The number of users over time is reported in about so many points, however long it lasts. */
const curvePoints = 300;
const shortestPointS = 0.25;
/** A user who thinks keeps the connection for so long, unless the server says that it will not. */
const keepAliveMs = 20_000;

/** Users come and go by stages; each walks its role. Ports of the target take the users in turn. */
export class ScenarioLoop implements LoadLoop {
  readonly #ports: readonly PortAuthority[];
  readonly #scenario: CompiledScenario;
  readonly #steps: StepMeters;
  readonly #users = new Set<ScenarioUser>();
  readonly #lives = new Set<Promise<void>>();
  readonly #underWay = new Set<Exchange>();
  readonly #opened: TargetPools;
  /** By role, those who are not about to leave, the newest last. */
  readonly #active: ScenarioUser[][];
  readonly #unique = `${Date.now().toString(36)}${process.pid.toString(36)}`;
  readonly #pointEveryS: number;
  readonly #curve: [number, number][] = [];
  /** Where users think, {@link busyUsers} says so. */
  readonly thoughtMs = null;
  #sent = 0;
  #arrived = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** ∫ users dt since the window began, in ms. */
  #userMs = 0;
  #userMsAt = 0;
  #windowFrom = 0;
  #windowTo = 0;

  /** Fails with `scenario-invalid`, and when the host is not loopback. */
  constructor(
    private readonly command: BlockCommand,
    private readonly plan: ScenarioPlan,
    private readonly meter: BlockMeter,
  ) {
    this.#ports = portAuthorities(command.host, [command.port, ...command.morePorts], command.socketPath);
    this.#scenario = plan.roles.length > 0 ? compileRoles(plan.roles) : compileMix(command.mix, command.thinkTimeMs);
    this.#opened = new TargetPools(command.tls);
    this.#steps = new StepMeters(this.#scenario.steps);
    this.#active = this.#scenario.roles.map(() => []);
    this.#pointEveryS = Math.max(shortestPointS, stagesSeconds(plan.stages) / curvePoints);
  }

  get sent(): number {
    return this.#sent;
  }

  /** Users who are here and not about to leave. */
  get users(): number {
    return this.#active.reduce((sum, users) => sum + users.length, 0);
  }

  /**
   * The users who always have one request in progress, as the connections of a closed loop do, on average in the window; null when users think, or fetch
   * several things at once, and Little's law says nothing of the generator.
   */
  get busyUsers(): number | null {
    const idle = this.#scenario.roles.some(
      ({ assets, once, steps }) => assets || [...once, ...steps].some(({ thinkMs }) => thinkMs.max > 0),
    );
    return idle ? null : this.#meanUsers();
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#userMsAt = this.#startedAt;
    this.#adjust();
    this.#timer = setInterval(() => this.#adjust(), adjustMs);
  }

  beginWindow(now: number): void {
    this.#countUsers(now);
    this.#userMs = 0;
    this.#windowFrom = now;
    this.#steps.beginWindow();
  }

  endWindow(now: number): null {
    this.#countUsers(now);
    this.#windowTo = now;
    this.#steps.endWindow();
    return null;
  }

  figures(): ScenarioMetrics {
    return {
      steps: this.#steps.samples(),
      users: [...this.#curve, [this.#elapsedS(), this.users]],
      meanUsers: this.#meanUsers(),
      firstErrors: [...this.#steps.firstErrors],
    };
  }

  agesMs(now: number): number[] {
    return Array.from(this.#underWay, (exchange) => now - exchange.sentAtMs);
  }

  async close(mayWait: () => boolean): Promise<void> {
    clearInterval(this.#timer);
    for (const user of this.#users) user.leave();
    await poll(() => this.#underWay.size === 0, { everyMs: lookEveryMs, isOver: () => !mayWait() });
    for (const exchange of this.#underWay) exchange.abandon();
    await Promise.all(this.#lives);
    await this.#opened.close();
  }

  #adjust(): void {
    const atS = this.#elapsedS();
    const wanted = usersAt(this.plan.stages, atS);
    this.#countUsers(performance.now());
    for (let arrivals = 0; this.users < wanted && arrivals < arrivalsAtOnce; arrivals++) this.#arrive();
    while (this.users > wanted) this.#sendAway();
    const last = this.#curve[this.#curve.length - 1];
    if (last === undefined || atS - last[0] >= this.#pointEveryS) this.#curve.push([atS, this.users]);
  }

  #arrive(): void {
    const which = fewestOf(this.#scenario.roles, this.#counts());
    const role = this.#scenario.roles[which];
    const port = this.#ports[this.#arrived % this.#ports.length];
    if (role === undefined || port === undefined) throw new RangeError('a scenario has a role and a port');
    const number = ++this.#arrived;
    const identity = { user: number, unique: `${this.#unique}-${number}`, random: new SeededRandom(blockSeed(this.command.seed, number)) };
    const user = new ScenarioUser(
      role,
      identity,
      new CookieJar(port.host),
      this.#opened.poolOf(port, { connections: role.assets ? assetsAtOnce : 1, keepAliveTimeout: keepAliveMs }),
      this.#around(port),
    );
    this.#active[which]?.push(user);
    this.#users.add(user);
    const life = user.live().finally(() => {
      this.#countUsers(performance.now());
      this.#users.delete(user);
      this.#lives.delete(life);
    });
    this.#lives.add(life);
  }

  /** The newest of the role that has the most too many. */
  #sendAway(): void {
    this.#active[mostOf(this.#scenario.roles, this.#counts())]?.pop()?.leave();
  }

  #counts(): number[] {
    return this.#active.map((users) => users.length);
  }

  #around({ authority }: PortAuthority): UserSurroundings {
    const { timeoutMs, keepAlive } = this.command;
    return {
      meter: this.meter,
      steps: this.#steps,
      authority,
      timeoutMs,
      send: (pool, request) => {
        this.#sent += 1;
        const exchange = new Exchange(pool, { ...request, timeoutMs, reset: !keepAlive });
        this.#underWay.add(exchange);
        return exchange;
      },
      over: (exchange) => this.#underWay.delete(exchange),
    };
  }

  #countUsers(now: number): void {
    this.#userMs += this.#users.size * (now - this.#userMsAt);
    this.#userMsAt = now;
  }

  #meanUsers(): number {
    const windowMs = this.#windowTo - this.#windowFrom;
    return windowMs > 0 ? this.#userMs / windowMs : 0;
  }

  #elapsedS(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }
}
