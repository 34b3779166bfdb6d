import type { Pool } from 'undici';
import { shortened } from '../../../model/domain/plainText.ts';
import type { RouteParameter } from '../../../model/domain/target.ts';
import { answerError } from '../answerError.ts';
import type { BlockMeter } from '../blockMeter.ts';
import type { LostKind } from '../lostKind.ts';
import { pause } from '../../supervise/pause.ts';
import type { SeededRandom } from '../../statistics/seededRandom.ts';
import type { CompiledRole, CompiledStep } from './compileRoles.ts';
import type { CookieJar } from './cookieJar.ts';
import { embeddedAssets, isCacheable } from './embeddedAssets.ts';
import type { Answer, Exchange, ExchangeRequest, Lost } from './exchange.ts';
import type { StepMeters } from './stepMeters.ts';
import { type FilledRequest, fillRequest } from './stepRequest.ts';
import type { TemplateScope } from './template.ts';

/** Pause of a user whose request got no answer, so that a target that is down gets no flood of requests. */
const lostPauseMs = 50;
/** Pause of a user who could not arrive, e.g. because signing up failed. */
const arrivalPauseMs = 1000;
/** The number of connections that a browser opens to one server. */
export const assetsAtOnce = 6;
/** More addresses than this are not remembered by one user. */
const mostCached = 2000;

export interface UserSurroundings {
  meter: BlockMeter;
  steps: StepMeters;
  /** `host:port` of the target. */
  authority: string;
  timeoutMs: number;
  /** Sends a request on a connection of the user's own and counts it as in progress until its outcome is there. */
  send(pool: Pool, request: Omit<ExchangeRequest, 'timeoutMs' | 'reset'>): Exchange;
  /** It is no longer in progress. */
  over(exchange: Exchange): void;
}

/** The outcome of a step: `over` when the rest of the iteration makes no sense. */
type StepEnd = 'done' | 'lost' | 'over' | 'abandoned';

/** One user: walks its role again and again, with cookies, extracted values, a cache and connections of its own. */
export class ScenarioUser {
  readonly #values = new Map<string, string>();
  readonly #cached = new Set<string>();
  readonly #scope: TemplateScope & { iteration: number };
  readonly #leave = new AbortController();

  constructor(
    readonly role: CompiledRole,
    identity: { user: number; unique: string; random: SeededRandom },
    private readonly jar: CookieJar,
    private readonly pool: Pool,
    private readonly around: UserSurroundings,
  ) {
    this.#scope = { ...identity, iteration: 0, values: this.#values };
  }

  /** Runs until it is asked to leave; resolves when its last request is over and its connections are closed. */
  async live(): Promise<void> {
    // What is drawn follows from the user and the iteration alone; an arrival that is tried again draws again.
    for (let attempt = 0; !this.#leave.signal.aborted; attempt++) {
      this.#scope.random.seek(-attempt);
      if (await this.#walk(this.role.once)) break;
      await this.#pause(arrivalPauseMs);
    }
    while (!this.#leave.signal.aborted) {
      this.#scope.iteration += 1;
      this.#scope.random.seek(this.#scope.iteration);
      await this.#walk(this.role.drawn ? [this.#drawStep()] : this.role.steps);
    }
    await this.pool.destroy();
  }

  /** Goes when its present request is answered, at once when it is thinking. */
  leave(): void {
    this.#leave.abort();
  }

  async #walk(steps: readonly CompiledStep[]): Promise<boolean> {
    for (const step of steps) {
      const end = await this.#take(step);
      if (end === 'lost') await this.#pause(lostPauseMs);
      if (end !== 'done') return false;
      const { min, max } = step.thinkMs;
      if (max > 0) await this.#pause(min + this.#scope.random.nextFraction() * (max - min));
      if (this.#leave.signal.aborted) return false;
    }
    return true;
  }

  #drawn(of: RouteParameter): string {
    const { random } = this.#scope;
    return 'values' in of ? (of.values[random.nextInteger(0, of.values.length - 1)] ?? '') : String(random.nextInteger(of.min, of.max));
  }

  async #take(step: CompiledStep): Promise<StepEnd> {
    const { steps } = this.around;
    for (const { name, of } of step.draws) this.#values.set(name, this.#drawn(of));
    const request = fillRequest(step, this.#scope);
    const asked = await this.#ask(step, step.index, request, step.readsBody);
    if (typeof asked === 'string') return asked;
    const { answer, sentAtMs } = asked;
    const wrong = this.#statusProblem(step, answer.status) ?? this.#bodyProblem(step, answer) ?? this.#extract(step, answer);
    this.#count(answer, wrong === null);
    if (wrong !== null) {
      steps.failed(step.index, wrong);
      // Without what it was to extract, the steps after it would send something else than they were meant to.
      return step.extract.length > 0 ? 'over' : 'done';
    }
    if (step.assetsIndex === null) {
      steps.answered(step.index, answer.latencyMs);
      return 'done';
    }
    await this.#fetchAssets(step, step.assetsIndex, request.path, answer);
    steps.answered(step.index, performance.now() - sentAtMs);
    return 'done';
  }

  /** Sends a request and keeps the cookies of its answer. Where it gets none, that is counted as a problem of the step with this index. */
  async #ask(
    { index: own, phrase }: CompiledStep,
    index: number,
    { method, path, headers, body }: FilledRequest,
    keepsBody: boolean,
  ): Promise<{ answer: Answer; sentAtMs: number } | 'lost' | 'abandoned'> {
    const { authority, meter, steps, timeoutMs } = this.around;
    const cookies = this.jar.header(path, Date.now());
    const all = { host: authority, ...headers };
    if (cookies !== null) Object.assign(all, { cookie: headers.cookie === undefined ? cookies : `${headers.cookie}; ${cookies}` });
    const exchange = this.around.send(this.pool, { method, path, headers: all, body, keepsBody });
    const outcome = await exchange.outcome;
    this.around.over(exchange);
    if (outcome === null) return 'abandoned';
    if ('lost' in outcome) {
      meter.lost(outcome.lost);
      const of = index === own ? '' : ` for ${shortened(path, 200)}`;
      steps.failed(index, `${phrase} got no answer${of}: ${lostPhrase(outcome, timeoutMs)}.`);
      return 'lost';
    }
    this.jar.store(outcome.setCookies, path, Date.now());
    return { answer: outcome, sentAtMs: exchange.sentAtMs };
  }

  /** Counts an answer; an unexpected answer is an error even with a good status, and an expected answer is none even with an error status. */
  #count({ status, bytes, latencyMs, closes }: Answer, right: boolean): void {
    const { meter } = this.around;
    if (closes) meter.closedByServer();
    meter.answered(right ? '' : answerError(status) || 'unexpected', bytes, latencyMs);
  }

  #statusProblem({ phrase, expect }: CompiledStep, status: number): string | null {
    if (expect.size === 0 ? status >= 200 && status < 400 : expect.has(status)) return null;
    return `${phrase} was answered with ${status} instead of ${expect.size === 0 ? '2xx or 3xx' : [...expect].join(' or ')}.`;
  }

  #bodyProblem({ phrase, wrongBody }: CompiledStep, { body }: Answer): string | null {
    const wrong = body === null ? null : (wrongBody?.(body.toString()) ?? null);
    return wrong === null ? null : `${phrase} was answered otherwise than expected: its body ${wrong}.`;
  }

  #extract(step: CompiledStep, answer: Answer): string | null {
    let text: string | undefined;
    const parts = {
      headers: answer.headers,
      text: () => (answer.body === null ? null : (text ??= answer.body.toString())),
    };
    for (const { name, take } of step.extract) {
      const result = take(parts);
      if ('missing' in result) return `${step.phrase} could not extract ‘${name}’: ${result.missing}.`;
      this.#values.set(name, result.value);
    }
    return null;
  }

  async #fetchAssets(step: CompiledStep, index: number, pagePath: string, page: Answer): Promise<void> {
    if (page.body === null) return;
    const wanted = embeddedAssets(page.body.toString(), pagePath, this.around.authority).filter((path) => !this.#cached.has(path));
    const fetchNext = async (): Promise<void> => {
      for (let path = wanted.shift(); path !== undefined && !this.#leave.signal.aborted; path = wanted.shift())
        await this.#fetchAsset(step, index, path);
    };
    await Promise.all(Array.from({ length: Math.min(assetsAtOnce, wanted.length) }, fetchNext));
  }

  async #fetchAsset(step: CompiledStep, index: number, path: string): Promise<void> {
    const { steps } = this.around;
    const asked = await this.#ask(step, index, { method: 'GET', path, headers: {}, body: null }, false);
    if (typeof asked === 'string') return;
    const { answer } = asked;
    const right = answer.status >= 200 && answer.status < 400;
    this.#count(answer, right);
    if (!right) {
      steps.failed(index, `${step.phrase} embeds ${shortened(path, 200)}, which was answered with ${answer.status}.`);
      return;
    }
    steps.answered(index, answer.latencyMs);
    if (this.#cached.size < mostCached && isCacheable(answer.headers.get('cache-control'))) this.#cached.add(path);
  }

  #drawStep(): CompiledStep {
    const { steps } = this.role;
    const draw = steps.length > 1 ? this.#scope.random.nextFraction() : 0;
    const step = steps.find(({ upTo }) => draw < upTo) ?? steps[steps.length - 1];
    if (step === undefined) throw new RangeError('a role has at least one step');
    return step;
  }

  /** Ends early when it is to leave. */
  #pause(ms: number): Promise<void> {
    return pause(ms, this.#leave.signal).catch(() => undefined);
  }
}

function lostPhrase({ lost, code }: Lost, timeoutMs: number): string {
  const phrases: Record<LostKind, string> = {
    refused: 'the connection was refused',
    reset: 'the connection was closed',
    timeout: `it took longer than ${timeoutMs} ms`,
    other: `the connection failed (${code})`,
  };
  return phrases[lost];
}
