import type { Finding } from '../../model/findingKinds.ts';
import type { DiagnosisKind, NextAction } from '../../model/diagnosis.ts';
import type { Check } from './checks.ts';
import type { Signals } from './signals.ts';

/** What a verdict says. The headline carries the figures; the explanation says why that is so and what follows. */
export interface Telling {
  headline: string;
  explanation: string;
  /** What the headline tells of already. */
  tells?: readonly Finding[];
  /** The first is the one to take. */
  actions: NextAction[];
}

/** One row of the decision table. */
export interface Rule {
  kind: DiagnosisKind;
  /** False where it cannot be so, e.g. an event loop on a JVM; such a rule is not even ruled out. */
  applies: (signals: Signals) => boolean;
  /** The first is the one that the verdict stands on: only where it was met, or nearly, is the verdict worth ruling out. */
  checks: (signals: Signals) => Check[];
  tell: (signals: Signals) => Telling;
  /** True: what casts doubt on throughput (such as a warm-up that was not steady) casts none on this. */
  surely?: boolean;
  /** True: it stands on waits and on who holds what, which a warm-up that was not steady leaves as they are. */
  byWaits?: boolean | ((signals: Signals) => boolean);
}
