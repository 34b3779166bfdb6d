import { expect } from 'vitest';
import { type Answer, type Question, type SampleApp, type SampleName, SampleStack, requireSamples } from './samples.ts';

/** Two programs that must answer alike, on one database. What changes it is done once by each; ids, times and tokens are masked before answers are compared. */
export class Twins {
  readonly stack = new SampleStack();
  readonly #apps = new Map<SampleName, SampleApp>();

  constructor(readonly names: readonly [SampleName, SampleName]) {}

  /** Starts the database in its first state, and both programs. */
  async start(environment: Record<string, string> = {}): Promise<void> {
    requireSamples();
    await this.stack.start();
    await this.stack.applyPrepare();
    for (const app of await Promise.all(this.names.map((name) => this.stack.app(name, environment)))) this.#apps.set(app.name, app);
  }

  async stop(): Promise<void> {
    await this.stack.applyPrepare();
    await this.stack.stop();
  }

  app(name: SampleName): SampleApp {
    const found = this.#apps.get(name);
    if (found === undefined) throw new Error(`${name} was not started`);
    return found;
  }

  get first(): SampleApp {
    return this.app(this.names[0]);
  }

  get second(): SampleApp {
    return this.app(this.names[1]);
  }

  /** Asks both the same, checks that they agree, byte for byte where nothing new was made, and gives the answer. */
  async both(target: string, question: Question = {}): Promise<Answer> {
    const [one, other] = await Promise.all([this.first.ask(target, question), this.second.ask(target, question)]);
    const withoutId = (answer: Answer): Answer =>
      answer.status === 201 ? { ...answer, text: answer.text.replace(/"id":\d+/, '"id":0') } : answer;
    expect(comparable(withoutId(other))).toEqual(comparable(withoutId(one)));
    if (one.status !== 201) expect(other.body.equals(one.body)).toBe(true);
    if (one.status !== 204) expect(Number(one.headers['content-length'])).toBe(one.body.length);
    return one;
  }

  /** Does the same with each, one after the other, and checks that what it gives is equal. */
  async each<T>(work: (sample: SampleApp) => Promise<T>): Promise<T> {
    const results = [await work(this.first), await work(this.second)] as const;
    expect(results[1]).toEqual(results[0]);
    return results[0];
  }
}

/** What both must have in common of an answer. */
export function comparable(answer: Answer): Record<string, unknown> {
  return {
    status: answer.status,
    contentType: answer.headers['content-type'],
    contentLength: answer.headers['content-length'],
    cacheControl: answer.headers['cache-control'],
    allow: answer.headers['allow'],
    location: answer.headers['location']?.replace(/\d+$/, '0'),
    cookie: answer.headers['set-cookie']?.map((line) => line.replace(/=[0-9a-f]{32};/, '=0;')),
    body: answer.status === 201 ? answer.text.replace(/"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"createdAt":""') : answer.text,
  };
}

/** A POST with a body in JSON. */
export function json(body: unknown): Question {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/** Status and sentence of an answer that is a refusal. */
export function refusal(answer: Answer): [number, string] {
  return [answer.status, (JSON.parse(answer.text) as { error: string }).error];
}
