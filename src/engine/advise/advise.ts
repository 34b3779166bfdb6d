import path from 'node:path';
import { defined } from '../../model/domain/defined.ts';
import { failure, FailureError, isCancellation } from '../../model/domain/failure.ts';
import { type Advice, type AdviceChange, type AdviseRequest, type Together, type Tried, isUseful } from '../../model/domain/advice.ts';
import type { AdviceProgress } from '../../model/domain/adviceRecord.ts';
import { defaultDelta } from '../../model/domain/margin.ts';
import type { RunRecord, RunRequest, Trial } from '../../model/domain/run.ts';
import { runtimes } from '../../model/domain/runtimes.ts';
import { mergedSettings, sideOf } from './sideSettings.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { oneListeningPlace } from '../../model/domain/target.ts';
import { ensureFolder, replaceFile } from '../files/safeFiles.ts';
import { loadProfileNamed } from '../run/loadProfileNamed.ts';
import { effectiveLoad } from '../run/plan.ts';
import { type RunOverrides, runBenchmark } from '../run/runBenchmark.ts';
import { NotStarted } from '../run/processPool.ts';
import type { RunContext } from '../run/runContext.ts';
import { type RunOutcome, startDatabase } from '../run/runLife.ts';
import { SharedData } from '../run/sharedData.ts';
import { compareRuns } from '../runs/compareRuns.ts';
import { databaseName } from '../services/prepareDatabase.ts';
import { sidesSaid } from '../sides/sidesSaid.ts';
import { type DeclaredTarget, findTarget } from '../targets/catalog.ts';
import { completeSettings, databaseWants } from '../targets/launchTarget.ts';
import { varied } from '../variants/varied.ts';
import { variantKeyOf } from '../variants/catalogue.ts';
import { appliedBy } from './applied.ts';
import { type Effect, effectsOf, timesOf } from './effects.ts';
import { bestOfEach, goesOn, groupsOf, inOrder, inTurns } from './halving.ts';
import { type ComparisonStage, Pace, paceSeen } from './pace.ts';
import { changeId, proposed } from './rules.ts';
import { type PlannedStatement, type UsedIndex, indexId, quotedName, triedIndexes } from './triedIndexes.ts';

/** How the advice was come to, and the last run of it. */
export interface AdviceOutcome extends RunOutcome {
  advice: Advice | null;
}

export interface AdviseOptions {
  /** Where the SQL of what is tried is written; a folder of Benchside. */
  folder: string;
  onProgress: (progress: AdviceProgress) => void;
}

/** So many changes are tried, of which indexes no more than these. */
const mostTried = 10;
const mostIndexes = 4;
/** Shares of what is left of the time: screening all, then of the rest measuring few. */
const screeningShare = 0.5;
const measuringShare = 0.65;
const look = { rounds: 3, durationS: 2 } as const;
/** Kept for what follows the last run: it is stopped at once where it has to be, and the answer is written. */
const closingS = 3;

/**
 * Tries changes that could help a target under a load, within a budget. One short run, or a stored one, shows what limits and which statements are heavy. Changes
 * follow from that (`rules.ts`, `triedIndexes.ts`). All are compared with the present state in one short run, those ahead in a longer one, and those that help
 * alone once more together. The budget bounds all of it but the first look: what would not end in time is not begun, and said so. Applies nothing.
 */
export async function advise(request: AdviseRequest, context: RunContext, options: AdviseOptions): Promise<AdviceOutcome> {
  return new Advising(request, context, options).advise();
}

class Advising {
  readonly #startedMs = performance.now();
  readonly #declared: DeclaredTarget;
  readonly #runs: Advice['runs'] = [];
  readonly #notTried: Advice['notTried'] = [];
  readonly #pace = new Pace();
  #known: Advice | null = null;
  #last: RunOutcome = { runId: '', outcome: 'cancelled', stored: false, run: null };

  constructor(
    private readonly request: AdviseRequest,
    private readonly context: RunContext,
    private readonly options: AdviseOptions,
  ) {
    if (request.target === undefined) throw failure('target-unknown', 'No target was named.', 'Name one of benchside.json.');
    this.#declared = findTarget(context.declarations, request.target);
    if (this.#declared.target.running !== undefined)
      throw failure(
        'runs-already',
        `${request.target} runs already: what could help it cannot be tried, since no process of it is started.`,
        'Let Benchside start it, by a command.',
      );
    const load = effectiveLoad(loadProfileNamed(context.declarations, request.load), this.#runRequest({}));
    if (load.ratePerS !== undefined || load.stages !== undefined || load.roles !== undefined)
      throw failure(
        'bad-request',
        `What helps is looked for in a closed loop, and the load profile “${load.name}” is none.`,
        'Name another load profile: one without a rate, stages and roles.',
      );
  }

  async advise(): Promise<AdviceOutcome> {
    const first = await this.#look();
    if (first === null) return { ...this.#last, advice: null };
    const trial = first.trials.find((one) => this.#isAsked(one)) ?? first.trials[0];
    if (trial === undefined)
      throw failure('run-invalid', 'The run has no trial whose verdict could be followed.', 'Choose another run, or leave it out.');
    this.#known = {
      ...this.#subject,
      verdict: trial.diagnosis == null ? null : { kind: trial.diagnosis.kind, said: trial.diagnosis.said },
      settings: this.request.settings,
      throughput: trial.valid ? trial.throughput.mean : null,
      delta: defaultDelta,
      tried: [],
      together: null,
      notTried: this.#notTried,
      runs: this.#runs,
      spentS: 0,
      budgetS: this.request.budgetS,
    };
    const end = (tried: readonly Tried[], together: Together | null = null): AdviceOutcome => ({
      ...this.#last,
      outcome: this.#isCancelled ? 'cancelled' : 'complete',
      advice: this.#soFar(tried, together),
    });
    const { indexes, plans } = await this.#indexes(trial).catch((error: unknown) => {
      if (!isCancellation(error)) throw error;
      this.#notTried.push({ id: 'indexes', why: this.#isCancelled ? 'cancelled' : 'time' });
      return { indexes: [], plans: [] };
    });
    if (this.#isCancelled) return end([]);
    const screened = await this.#screen(await this.#changes(trial, plans, indexes));
    if (this.#isCancelled) return end(screened);
    const { further, budgetS } = this.#further(goesOn(screened));
    if (further.length === 0) return end(screened);
    this.#tell('sure', further, screened);
    const sure = await this.#compare('sure', further, budgetS);
    const measured = screened.map((one): Tried => {
      if (!further.includes(one)) return one;
      const effect = sure?.[further.indexOf(one)] ?? null;
      if (effect === null) this.#notMeasured(one);
      return { ...one, ...effect };
    });
    if (this.#isCancelled) return end(measured);
    return end(measured, await this.#together(bestOfEach(measured.filter(isUseful)), measured));
  }

  /** Of a run of several trials the one with the settings that are. */
  #isAsked({ target, settings }: Trial): boolean {
    const asked = Object.entries(this.request.settings);
    return target === this.request.target && asked.every(([name, value]) => settings[name] === value);
  }

  get #subject(): Pick<Advice, 'target' | 'targetLabel'> {
    const { id, label } = this.#declared.target;
    return { target: id, targetLabel: label ?? id };
  }

  /** What is known with these effects; null before the first look has ended. */
  #soFar(tried: readonly Tried[], together: Together | null): Advice | null {
    if (this.#known === null) return null;
    return {
      ...this.#known,
      tried: inOrder(tried),
      together,
      notTried: [...this.#notTried],
      runs: [...this.#runs],
      spentS: this.#spentS,
    };
  }

  #tell(stage: AdviceProgress['stage'], trying: readonly Pick<AdviceChange, 'id'>[] = [], tried: readonly Tried[] = []): void {
    this.options.onProgress({
      ...this.#subject,
      stage,
      trying: trying.map(({ id }) => id),
      spentS: this.#spentS,
      budgetS: this.request.budgetS,
      advice: this.#soFar(tried, null),
    });
  }

  get #spentS(): number {
    return (performance.now() - this.#startedMs) / 1000;
  }

  get #leftS(): number {
    return Math.max(0, this.request.budgetS - closingS - this.#spentS);
  }

  /** Of what goes on as much as can be measured surely in the time that is left, and the time for it. Two that help are measured together afterwards. */
  #further(ahead: readonly Tried[]): { further: Tried[]; budgetS: number } {
    const sharedS = measuringShare * this.#leftS;
    const count = this.#pace.changesIn('sure', sharedS, ahead.length);
    const alone = count < 2 ? this.#pace.changesIn('once', this.#leftS, Math.min(1, ahead.length)) : 0;
    this.#noTimeFor(ahead.slice(Math.max(count, alone)));
    return count < 2 ? { further: ahead.slice(0, alone), budgetS: this.#leftS } : { further: ahead.slice(0, count), budgetS: sharedS };
  }

  #noTimeFor(left: readonly Pick<AdviceChange, 'id'>[]): void {
    this.#notTried.push(...left.map(({ id }) => ({ id, why: 'time' as const })));
  }

  get #isCancelled(): boolean {
    return this.context.signal.aborted;
  }

  #notMeasured({ id }: Pick<AdviceChange, 'id'>): void {
    if (!this.#notTried.some((one) => one.id === id)) this.#notTried.push({ id, why: this.#whyNot });
  }

  /** Of what the latest run did not measure. */
  get #whyNot(): 'cancelled' | 'time' | 'failed' {
    if (this.#isCancelled) return 'cancelled';
    return this.#last.outcome === 'cancelled' ? 'time' : 'failed';
  }

  #runRequest(settings: Record<string, (string | number)[]>): RunRequest {
    const { route, load, connections } = this.request;
    return {
      targets: [this.#declared.target.id],
      settings,
      load,
      ...defined({ route, connections: connections === undefined ? undefined : [connections] }),
    };
  }

  /** The run whose verdict is followed; null where it was cancelled. */
  async #look(): Promise<RunRecord | null> {
    const { from, settings } = this.request;
    this.#tell('look');
    if (from !== undefined) {
      const run = await this.context.store.read(from);
      this.#runs.push({ stage: 'look', id: run.id });
      this.#pace.saw(paceSeen(run, run.durationMs / 1000));
      return run;
    }
    const asked = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, [value]]));
    this.#last = await runBenchmark({ ...this.#runRequest(asked), ...look }, this.context);
    const { run, outcome } = this.#last;
    if (run === null || outcome === 'cancelled') return null;
    this.#runs.push({ stage: 'look', id: run.id });
    this.#pace.saw(paceSeen(run, this.#spentS));
    return run;
  }

  /** Indexes that PostgreSQL would use for the heaviest statements, and their plans; none where the database is not of our making. */
  async #indexes(trial: Trial): Promise<{ indexes: UsedIndex[]; plans: PlannedStatement[] }> {
    const none = { indexes: [], plans: [] };
    const wants = databaseWants(this.#declared);
    if (wants === null || this.#declared.target.postgres?.bouncer !== undefined || (trial.statements ?? []).length === 0) return none;
    const database = await startDatabase(new SharedData([this.#declared], new Map()), this.context, {
      begin: () => undefined,
      say: () => undefined,
      note: () => undefined,
    });
    if (database === null || database.address.administers !== true) return none;
    this.#tell('plans');
    const { planned, used, unused } = await this.#within(screeningShare * this.#leftS, (signal) =>
      triedIndexes(database.address, databaseName(database.address, wants), trial.statements ?? [], signal),
    );
    for (const { table, columns } of unused) this.#notTried.push({ id: indexId({ table, columns }), why: 'planner' });
    for (const one of used.slice(mostIndexes)) this.#notTried.push({ id: indexId(one), why: 'limit' });
    return { indexes: used.slice(0, mostIndexes), plans: planned };
  }

  /** What is tried, the likeliest first. What a runtime, the machine or the database cannot have is left out. */
  async #changes(trial: Trial, plans: readonly PlannedStatement[], indexes: readonly UsedIndex[]): Promise<AdviceChange[]> {
    const declared = this.#declared;
    const label = declared.target.label ?? declared.target.id;
    const settings = { ...completeSettings(label, declared.target.settings, {}), ...this.request.settings };
    const ofDatabase = this.context.postgres.state.external === false && declared.target.postgres?.bouncer === undefined;
    const found = proposed({ declared, settings, trial, plans: plans.map(({ plan }) => plan) }).filter(({ settings: change }) =>
      Object.entries(change).every(([name, value]) => {
        const key = declared.target.settings[name] === undefined ? variantKeyOf(name) : undefined;
        if (name === 'instances' && oneListeningPlace(declared.target.port) !== null) return false;
        if (key === undefined) return declared.target.settings[name] !== undefined || name === 'instances';
        return key.fits(declared.target) && (ofDatabase || !name.startsWith('postgres.')) && this.#canHave(name, value);
      }),
    );
    const room = mostTried - indexes.length;
    for (const { settings: left } of found.slice(room)) this.#notTried.push({ id: changeId(left), why: 'limit' });
    const ofIndexes = await Promise.all(indexes.map((index) => this.#indexChange(index)));
    const ofSettings = found.slice(0, room).map(({ settings: change, reason }): AdviceChange => {
      const apply = Object.entries(change).flatMap(([name, value]) => appliedBy(declared, name, value));
      return { id: changeId(change), settings: change, reason, statement: null, index: null, apply };
    });
    return inTurns([...ofIndexes, ...ofSettings]);
  }

  #canHave(name: string, value: string | number): boolean {
    try {
      varied([this.#declared], { [name]: [value] }, this.context.toolchain);
      return true;
    } catch (error) {
      if (error instanceof FailureError) return false;
      throw error;
    }
  }

  async #indexChange(index: UsedIndex): Promise<AdviceChange> {
    const { name, create, statement, bytes, buildMs, table, columns } = index;
    const file = await this.#sqlFile(`${name}.sql`, [`CREATE INDEX ${quotedName(name)} ${create};`]);
    return {
      id: indexId({ table, columns }),
      settings: { sql: file },
      reason: 'index',
      statement,
      index: {
        table: `${index.schema}.${table}`,
        columns: columns.map((column) => `${column.name}${column.falls ? ' DESC' : ''}`),
        bytes,
        buildMs,
      },
      apply: [{ where: 'sql', text: `CREATE INDEX CONCURRENTLY ${quotedName(name)} ${create};` }],
    };
  }

  /** Writes SQL to a file that a side can run. Returns its path, relative where it is below the present folder. */
  async #sqlFile(name: string, lines: readonly string[]): Promise<string> {
    const file = path.join(this.options.folder, name.replaceAll(/[^\w.-]/g, '_'));
    await ensureFolder(this.options.folder);
    await replaceFile(file, Buffer.from(`${lines.join('\n')}\n`));
    const inside = path.relative(process.cwd(), file);
    return inside.startsWith('..') || path.isAbsolute(inside) ? file : inside;
  }

  /** All of them in short comparisons, of as many at once as the machine bears; those for which the time does not suffice are left out, the least likely. */
  async #screen(changes: readonly AdviceChange[]): Promise<Tried[]> {
    const atOnce = runtimes[this.#declared.target.runtime].atOnce - 1;
    const untilS = this.#spentS + screeningShare * this.#leftS;
    const screened: Tried[] = [];
    let rest = [...changes];
    while (rest.length > 0 && !this.#isCancelled) {
      // While nothing is ahead, there is nothing that the other half of the time would be for.
      const isIdle = screened.length > 0 && goesOn(screened).length === 0;
      const leftS = Math.max(0, untilS - this.#spentS, isIdle ? this.#leftS - this.#pace.leastS('sure', 1) : 0);
      const [wanted = []] = groupsOf(rest, atOnce);
      const group = rest.slice(0, this.#pace.changesIn('screen', leftS, wanted.length));
      if (group.length === 0) break;
      rest = rest.slice(group.length);
      this.#tell('screen', group, screened);
      const leastS = this.#pace.leastS('screen', group.length);
      const effects = await this.#compare('screen', group, Math.max(leastS, leftS / (1 + Math.ceil(rest.length / atOnce))));
      for (const [index, change] of group.entries()) {
        const effect = effects?.[index] ?? null;
        if (effect === null) this.#notMeasured(change);
        else screened.push({ ...change, ...effect });
      }
    }
    if (this.#isCancelled) this.#notTried.push(...rest.map(({ id }) => ({ id, why: 'cancelled' as const })));
    else this.#noTimeFor(rest);
    return screened;
  }

  /** Each change alone against the present state, in one run; null if nothing was measured. One that the target does not start with is left out. */
  async #compare(stage: ComparisonStage, changes: readonly AdviceChange[], budgetS: number): Promise<(Effect | null)[] | null> {
    const settingsOf = changes.map(({ settings }) => settings);
    const beganS = this.#spentS;
    const run = await this.#measure(stage, settingsOf, budgetS);
    if (run === null) return null;
    if (run instanceof NotStarted) {
      const at = sideOf(run.asked, settingsOf);
      const failing = changes[at];
      if (failing === undefined) throw run;
      this.#notTried.push({ id: failing.id, why: 'start', failure: run.failure });
      const left = changes.toSpliced(at, 1);
      const effects = left.length === 0 ? null : await this.#compare(stage, left, budgetS - (this.#spentS - beganS));
      return effects?.toSpliced(at, 0, null) ?? null;
    }
    return effectsOf(run, stage).map((effect, index) => {
      const statement = changes[index]?.statement ?? null;
      return effect === null || statement === null
        ? effect
        : { ...effect, statementMs: timesOf(statement, run.trials[0], run.trials[index + 1]) };
    });
  }

  async #measure(stage: ComparisonStage, changes: readonly SettingValues[], budgetS: number): Promise<RunRecord | NotStarted | null> {
    const { sides, settings } = mergedSettings(this.request.settings, changes);
    const startedMs = performance.now();
    const tookS = (): number => (performance.now() - startedMs) / 1000;
    const overrides: RunOverrides = {
      sides,
      leftMs: () => 1000 * Math.max(0, budgetS - this.#pace.endS(changes.length) - tookS()),
      versus: { of: 'values', p99: 'none', ...(stage === 'screen' ? { once: true } : {}) },
      says: (record) => ({ recommendations: [], notes: [...sidesSaid(record), ...record.notes] }),
    };
    const request = { ...this.#runRequest(settings), budgetS: Math.max(1, Math.round(budgetS)) };
    // Whatever a machine that became slower makes of it: it ends in time, with what was measured until then.
    try {
      this.#last = await this.#within(this.#leftS, (signal) => runBenchmark(request, { ...this.context, signal }, overrides));
    } catch (error) {
      if (error instanceof NotStarted) return error;
      throw error;
    }
    const { run } = this.#last;
    if (run === null) return null;
    this.#runs.push({ stage, id: run.id });
    this.#pace.saw(paceSeen(run, tookS()));
    return run;
  }

  /** Does something whose signal is aborted after so many seconds. */
  async #within<T>(seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), 1000 * seconds);
    return work(AbortSignal.any([this.context.signal, over.signal])).finally(() => clearTimeout(timer));
  }

  /** All changes that help alone, at once: gains do not add. */
  async #together(useful: readonly Tried[], measured: readonly Tried[]): Promise<Together | null> {
    const [best] = useful;
    if (best === undefined || useful.length < 2) return null;
    const ids = useful.map(({ id }) => id);
    if (this.#pace.changesIn('together', this.#leftS, 2) < 2) {
      this.#noTimeFor([{ id: ids.join(' + ') }]);
      return null;
    }
    this.#tell('together', useful, measured);
    const indexes = useful.filter(({ index }) => index !== null);
    const settings = Object.assign({}, ...useful.map((one) => one.settings)) as SettingValues;
    if (indexes.length > 1)
      settings['sql'] = await this.#sqlFile(
        'together.sql',
        indexes.flatMap(({ apply }) => apply.map(({ text }) => text.replace('INDEX CONCURRENTLY', 'INDEX'))),
      );
    const run = await this.#measure('together', [best.settings, settings], this.#leftS);
    const id = ids.join(' + ');
    if (run instanceof NotStarted) {
      this.#notTried.push({ id, why: 'start', failure: run.failure });
      return null;
    }
    const effect = run === null ? null : (effectsOf(run, 'together')[1] ?? null);
    if (run === null || effect === null) {
      this.#notMeasured({ id });
      return null;
    }
    const [, ofBest, ofAll] = run.trials;
    const row =
      ofBest === undefined || ofAll === undefined ? undefined : compareRuns(run, run, { trialA: ofBest.key, trialB: ofAll.key }).rows[0];
    const over = row?.throughput ?? null;
    return { ids, ...effect, overBest: over === null ? null : { ratio: over.ratio, verdict: over.verdict } };
  }
}
