import type { Finding } from '../../model/domain/findingKinds.ts';
import type { NextAction } from '../../model/domain/verdict/nextActions.ts';
import type { DiagnosisKind } from '../../model/domain/diagnosisKind.ts';
import type { VerdictPart } from '../../model/domain/verdict/verdictKinds.ts';
import type { Check } from './checks.ts';
import type { Signals } from './signals.ts';

/** What a verdict says: its headline, and why that is so and what follows. */
export interface RuleVerdict {
  said: VerdictPart;
  why: readonly VerdictPart[];
  /** Findings that the headline already covers. */
  tells?: readonly Finding[];
  /** The first is the one to take. */
  actions: NextAction[];
}

/** One row of the decision table. */
export interface Rule {
  kind: DiagnosisKind;
  /** False where it cannot be so, e.g. an event loop on a JVM; such a rule is not even ruled out. */
  applies: (signals: Signals) => boolean;
  /** The first check carries the verdict. The verdict is worth ruling out only where this check was met, or nearly. */
  checks: (signals: Signals) => Check[];
  explain: (signals: Signals) => RuleVerdict;
  /** True: what casts doubt on throughput (such as a warm-up that was not steady) casts none on this. */
  surely?: boolean;
  /** True: the verdict rests on waits and on who holds what. A warm-up that was not steady does not change those. */
  byWaits?: boolean | ((signals: Signals) => boolean);
}
