import type { RoundKind } from '../../../model/domain/progress/roundKinds.ts';
import { isProbed } from '../../../model/domain/runtimes.ts';
import { grouped } from '../../../model/domain/grouped.ts';
import { SeededRandom } from '../../statistics/seededRandom.ts';
import { trialSeconds } from '../../strategies/experiment/experimentTime.ts';
import type { PlannedTrial } from '../plan.ts';
import { allRunning } from '../runningTargets.ts';
import { planSlices, speedOf } from '../sliceLength.ts';
import { isHung, measureSliced } from '../slicedRound.ts';
import { mostConnectionsTogether } from '../trialProcesses.ts';
import { measureRounds } from './measureRounds.ts';
import { type MeasureTools, addBlock, variantOf } from './experimentMeasures.ts';
import type { RunningVariant } from './runningVariant.ts';

/** All variants at all levels in mirrored rounds, then more rounds of those that a rule needs; in slices where the load can alternate between them. */
export function measureLadder(tools: MeasureTools<'ladder'>, variants: readonly RunningVariant[]): Promise<void> {
  return new Ladder(tools, variants).measure();
}

class Ladder {
  readonly #random = new SeededRandom(1);
  /** Processes of which requests had no answer: what hangs in one slice would hang on in the next. */
  readonly #hung = new Set<PlannedTrial['process']>();

  constructor(
    private readonly tools: MeasureTools<'ladder'>,
    private readonly variants: readonly RunningVariant[],
  ) {}

  measure(): Promise<void> {
    return measureRounds(this.tools, this.variants, {
      step: (name, round) => ({ code: 'measuring', name, round }),
      measure: (planned, round) => this.#measureOne(planned, round),
      together: async (trials, round, what) => {
        for (const group of this.#groups(trials)) {
          if (await this.#measureGroup(group, round, what)) continue;
          for (const planned of group) {
            this.tools.assertWorthwhile();
            const step = { code: 'measuring', name: planned.name, round: what } as const;
            this.tools.progress.begin('measure', step, 1000 * trialSeconds(this.tools.plan));
            await this.#measureOne(planned, round);
          }
        }
      },
    });
  }

  /**
   * What is measured in the same passes. A server that keeps a process or a thread for each connection would have its workers held by the connections of other
   * levels, which rest: there each level is a group of its own.
   */
  #groups(trials: readonly PlannedTrial[]): PlannedTrial[][] {
    const connections = trials.reduce((sum, planned) => sum + planned.connections, 0);
    const restFree = trials.every(({ process }) => isProbed(process.declared.target.runtime)) && connections <= mostConnectionsTogether;
    if (restFree) return [[...trials]];
    return [...grouped(trials, (planned) => planned.connections).values()];
  }

  /** False where the load cannot switch between these: one alone, one whose PgBouncer has a meter of its own, or one that hangs or has ended. */
  async #measureGroup(group: readonly PlannedTrial[], round: number, what: RoundKind): Promise<boolean> {
    const { harness, plan, progress } = this.tools;
    const sides = group.map((planned) => {
      const { running } = variantOf(this.variants, planned);
      const last = this.tools.measurement(planned).blocks.at(-1)?.result.throughput;
      return { planned, running, speed: speedOf(last, planned.connections) };
    });
    const able = sides.every(
      ({ planned, running }) => running.bouncer === undefined && allRunning(running) && !this.#hung.has(planned.process),
    );
    if (harness.notSliced !== null || sides.length < 2 || !able) return false;
    const planned = planSlices(sides, { alike: false, eachMs: 1000 * plan.blockS, random: this.#random });
    const step = { code: 'measuring-several', what: 'in-turn', count: sides.length, round: what } as const;
    progress.begin('measure', step, planned.expectedMs);
    const seen = await measureSliced(harness, { sides: planned.sides, order: planned.order, round });
    for (const [index, measurement] of seen.entries()) {
      const side = sides[index];
      if (side === undefined) continue;
      if (isHung([measurement])) this.#hung.add(side.planned.process);
      addBlock(this.tools, side.planned, measurement);
    }
    return true;
  }

  async #measureOne(planned: PlannedTrial, round: number): Promise<void> {
    const { tools } = this;
    const { running } = variantOf(this.variants, planned);
    if (allRunning(running)) {
      addBlock(tools, planned, await tools.harness.measure(planned, running, round));
      return;
    }
    const { problems } = tools.measurement(planned);
    if (problems.length === 0) problems.push({ code: 'has-ended', name: planned.process.name });
  }
}
