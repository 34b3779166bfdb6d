import { SeededRandom } from '../../statistics/seededRandom.ts';
import { trialSeconds } from '../../strategies/study/studyTime.ts';
import { allRunning } from '../runningTargets.ts';
import type { PlannedTrial } from '../plan.ts';
import { planSlices, speedOf } from '../sliceLength.ts';
import { isHung } from '../slicedRound.ts';
import { measureRounds } from './measureRounds.ts';
import { addBlock, armOf } from './studyMeasures.ts';
import type { MeasureTools } from './studyMeasures.ts';
import type { StudyArm } from './studyArm.ts';

/** All arms at all levels in mirrored rounds, then those that a rule needs more of. Arms at one level are measured together, in slices. */
export function measureLadder(tools: MeasureTools<'ladder'>, arms: readonly StudyArm[]): Promise<void> {
  return new Ladder(tools, arms).measure();
}

class Ladder {
  readonly #random = new SeededRandom(1);
  /** Levels at which requests had no answer: what hangs in one slice would hang on in the next. */
  readonly #hung = new Set<number>();

  constructor(
    private readonly tools: MeasureTools<'ladder'>,
    private readonly arms: readonly StudyArm[],
  ) {}

  measure(): Promise<void> {
    return measureRounds(this.tools, this.arms, {
      what: ({ name }) => `Measuring ${name}`,
      measure: (planned, round) => this.#measureOne(planned, round),
      together: async (trials, round, stage) => {
        for (const connections of new Set(trials.map((planned) => planned.connections))) {
          const level = trials.filter((planned) => planned.connections === connections);
          if (await this.#measureLevel(level, round, stage)) continue;
          for (const planned of level) {
            this.tools.assertWorthwhile();
            this.tools.progress.begin('measure', `Measuring ${planned.name}, ${stage}`, 1000 * trialSeconds(this.tools.plan));
            await this.#measureOne(planned, round);
          }
        }
      },
    });
  }

  /** False where the load cannot turn between these arms: one alone, one whose proxy has a meter of its own, or one that has ended. */
  async #measureLevel(level: readonly PlannedTrial[], round: number, stage: string): Promise<boolean> {
    const { bench, plan, progress } = this.tools;
    const connections = level[0]?.connections ?? 0;
    const sides = level.map((planned) => {
      const { running } = armOf(this.arms, planned);
      const last = this.tools.sighting(planned).blocks.at(-1)?.result.throughput;
      return { planned, running, speed: speedOf(last, connections) };
    });
    const able = sides.every(({ running }) => running.bouncer === undefined && allRunning(running));
    if (bench.notSliced !== null || sides.length < 2 || !able || this.#hung.has(connections)) return false;
    const planned = planSlices(sides, { alike: false, eachMs: 1000 * plan.blockS, random: this.#random });
    progress.begin('measure', `Measuring ${sides.length} arms at ${connections} connections, ${stage}`, planned.expectedMs);
    const seen = await bench.measureSliced({ sides: planned.sides, order: planned.order, round });
    if (isHung(seen)) this.#hung.add(connections);
    for (const [index, sighting] of seen.entries()) {
      const side = sides[index];
      if (side !== undefined) addBlock(this.tools, side.planned, sighting);
    }
    return true;
  }

  async #measureOne(planned: PlannedTrial, round: number): Promise<void> {
    const { tools } = this;
    const { running } = armOf(this.arms, planned);
    if (allRunning(running)) {
      addBlock(tools, planned, await tools.bench.measure(planned, running, round));
      return;
    }
    const { problems } = tools.sighting(planned);
    if (problems.length === 0) problems.push(`${planned.process.name} has ended. Look at its log.`);
  }
}
