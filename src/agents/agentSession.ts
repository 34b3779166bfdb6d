import { defined } from '../model/domain/defined.ts';
import { randomBytes } from 'node:crypto';
import { failure, toFailure } from '../model/domain/failure.ts';
import { type AgentAnswer, type Asked, agentText } from '../model/agents/agentAnswer.ts';
import { type AgentInput, type AgentToolName, agentTools } from '../model/agents/agentTools.ts';
import { comparisonAnswer } from '../model/agents/comparisonAnswers.ts';
import { failureAnswer, targetsAnswer } from '../model/agents/listAnswers.ts';
import { explainAnswer, leadingTrial, runAnswer } from '../model/agents/runAnswers.ts';
import { focusedTrials } from '../model/agents/trialLines.ts';
import { progressAnswer, startedAnswer } from '../model/agents/activeAnswers.ts';
import { framesAnswer, sqlAnswer } from '../model/agents/workAnswers.ts';
import { inTime } from '../model/domain/inTime.ts';
import type { RunRecord } from '../model/domain/run.ts';
import { redactText } from '../engine/files/redact.ts';
import type { AgentHost } from './agentHost.ts';
import { hotFunctions } from './hotFunctions.ts';
import { type Begun, Measurements } from './measurements.ts';
import { beginCheck, beginAdvice, beginCompare, beginLeak, beginRun, beginStartup, beginTuning } from './requested.ts';

/** What a tool answered, as a text of at most 2,000 tokens. */
export interface ToolResult {
  text: string;
  failed: boolean;
}

/** Clients give up on a call after a minute; what takes longer on a busy machine is there when they ask again. */
const longestAnswerMs = 45_000;
/** The measuring of ten seconds is worth waiting for. */
const checkWaitS = 25;

/** The tools of one connection: what they are asked is checked, what they answer is short, and what they began ends with them. */
export class AgentSession {
  readonly #measurements: Measurements;

  constructor(
    private readonly host: AgentHost,
    private readonly answerWithinMs = longestAnswerMs,
  ) {
    this.#measurements = new Measurements(host);
  }

  /** Never rejects: what went wrong is an answer too. */
  async call(name: AgentToolName, input: unknown, signal: AbortSignal): Promise<ToolResult> {
    try {
      const refusal = await this.host.refusal();
      if (refusal !== null) return this.#text(failureAnswer(refusal), true);
      const parsed = agentTools[name].input.safeParse(input ?? {});
      if (!parsed.success) {
        const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
        throw failure('bad-request', `${name} was not understood.`, 'See what the tool takes.', problems.join('\n'));
      }
      const answer = await inTime(this.answerWithinMs, this.#answer(name, parsed.data, signal), () => {
        const words = `There was no answer within ${Math.round(this.answerWithinMs / 1000)} s: this machine is very busy, or the engine is just starting.`;
        throw failure('engine-silent', words, 'Make the same call again.');
      });
      return this.#text(answer, answer.said.includes('state: failed'));
    } catch (error) {
      const { code, message, cure, detail } = toFailure(error);
      return this.#text(failureAnswer({ code, message, cure, ...(code === 'internal' ? {} : defined({ detail })) }), true);
    }
  }

  dispose(): Promise<void> {
    return this.#measurements.dispose();
  }

  /** Declarations are in the user's files with their secrets, such as a token in a route; an agent's answers go to the operator of its model. */
  #text({ data, ...answer }: AgentAnswer, failed: boolean): ToolResult {
    const told = { ...answer, data: data.map((line) => redactText(line)) };
    return { text: agentText(told, randomBytes(6).toString('hex'), this.host.toolPrefix), failed };
  }

  #answer(name: AgentToolName, input: unknown, signal: AbortSignal): Promise<AgentAnswer> {
    const find = (run: string): Promise<RunRecord> => this.#run(run, signal);
    const started = async (begun: Promise<Begun>): Promise<AgentAnswer> => startedAnswer(this.#measurements.begin(await begun));
    const handlers: { [N in AgentToolName]: (input: AgentInput<N>) => Promise<AgentAnswer> } = {
      list_targets: async (asked) => {
        const [catalog, { runs }] = await Promise.all([
          this.host.request('catalog/get', {}, signal),
          this.host.request('runs/list', {}, signal),
        ]);
        const answer = targetsAnswer(catalog, runs, asked);
        const { active } = this.#measurements;
        return active === null ? answer : { ...answer, said: [`measuring now: ${active.handle}`, ...answer.said] };
      },
      check_machine: async () => {
        const { handle } = this.#measurements.begin(beginCheck(this.host));
        return this.#look(handle, { waitS: checkWaitS }, signal);
      },
      start_run: (asked) => started(beginRun(this.host, asked, find)),
      start_tuning: (asked) => started(beginTuning(this.host, asked, find)),
      compare_code: (asked) => started(beginCompare(this.host, asked)),
      what_would_help: (asked) => started(beginAdvice(this.host, asked)),
      check_leak: (asked) => started(beginLeak(this.host, asked)),
      measure_startup: (asked) => started(beginStartup(this.host, asked)),
      get_run: (asked) => this.#look(asked.run, asked, signal),
      cancel_run: async ({ run }) => {
        const cancelled = await this.#measurements.cancel(run);
        return {
          said: [cancelled ? 'state: cancelling' : 'state: nothing of that name is being measured'],
          next: [{ tool: 'get_run', input: { run, ...(cancelled ? { waitS: 20 } : {}) } }],
          data: [],
        };
      },
      compare_runs: async ({ a, b, ...asked }) => {
        const ids = { a: await this.#id(a, signal), b: await this.#id(b, signal) };
        return comparisonAnswer(await this.host.request('runs/compare', ids, signal), asked);
      },
      explain_run: async ({ run, ...asked }) => explainAnswer(await this.#run(run, signal), asked),
      get_hot_frames: async ({ run, trial, event, ...asked }) => {
        const record = await this.#run(run, signal);
        const trials = focusedTrials(record.trials, trial);
        const recorded = trials.filter((one) => record.recordings.some(({ trialKey }) => trialKey === one.trial.key));
        const leading = leadingTrial(record, recorded.length > 0 ? recorded : trials);
        if (leading === null) throw failure('trial-unknown', 'No trial of that run is in focus.', 'Look at the run’s trials with get_run.');
        const functions = await hotFunctions(this.host, record, leading.trial, event, signal);
        return framesAnswer(record, `#${leading.number}`, functions, asked);
      },
      get_slow_sql: async ({ run, trial, ...asked }) => sqlAnswer(await this.#run(run, signal), trial, asked),
    };
    return (handlers[name] as (input: unknown) => Promise<AgentAnswer>)(input);
  }

  async #look(
    reference: string,
    { waitS = 0, top, focus }: Asked & { waitS?: number | undefined },
    signal: AbortSignal,
  ): Promise<AgentAnswer> {
    const found = await this.#measurements.look(reference, waitS, signal);
    if (found === null) return runAnswer(await this.#run(reference, signal), { top, focus });
    const { active, ended } = found;
    if (ended === null) return progressAnswer(active);
    const next = [{ tool: 'list_targets' as const, input: {} }];
    const answer = ended.kind === 'failed' ? failureAnswer(ended.failure, next) : ended.answer({ top, focus });
    return { ...answer, said: [...answer.said, `took: ${Math.round(active.elapsedS)} s`] };
  }

  async #run(reference: string, signal: AbortSignal): Promise<RunRecord> {
    return (await this.host.request('runs/get', { id: await this.#id(reference, signal) }, signal)).run;
  }

  /** A stored run by a handle of this connection, its id, the beginning of it, or as “last” or “previous”. */
  async #id(reference: string, signal: AbortSignal): Promise<string> {
    const found = await this.#measurements.look(reference, 0, signal);
    if (found !== null) {
      const { runId } = found.active;
      if (found.ended !== null && runId !== null) return runId;
      throw failure('run-not-found', `${reference} is not stored${found.ended === null ? ' yet' : ''}.`, 'Wait for it with get_run.');
    }
    const { runs } = await this.host.request('runs/list', {}, signal);
    const readable = runs.filter(({ kind }) => kind === 'run');
    const byWord = reference === 'last' ? readable[0] : reference === 'previous' ? readable[1] : undefined;
    const matches = byWord === undefined ? readable.filter(({ id }) => id.startsWith(reference)) : [byWord];
    const [match] = matches;
    if (match === undefined || matches.length > 1)
      throw failure(
        'run-not-found',
        match === undefined ? `There is no run ${reference} here.` : `${reference} is the beginning of ${matches.length} runs.`,
        'list_targets names the latest runs.',
      );
    return match.id;
  }
}
