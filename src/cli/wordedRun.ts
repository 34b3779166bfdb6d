import { profileNoteText } from '../model/domain/profileNoteKinds.ts';
import { stepText } from '../model/domain/progress/stepKinds.ts';
import { answerHeadline } from '../model/domain/answerFacts.ts';
import { reasonsText } from '../model/domain/answerReason.ts';
import { type Diagnosis, explanationOf, headlineOf } from '../model/domain/diagnosis.ts';
import type { ExperimentRecord } from '../model/domain/experiment.ts';
import { methodText } from '../model/domain/comparedMethod.ts';
import { type ComparedMetric, type Comparison, comparedFields } from '../model/domain/comparison.ts';
import { diffNoteText } from '../model/domain/diffNoteKinds.ts';
import { findingTexts } from '../model/domain/findings.ts';
import { freshText, probeCostText } from '../model/domain/freshFinding.ts';
import { gateCode, gateText } from '../model/domain/gate.ts';
import { modeText } from '../model/domain/modeReason.ts';
import { planChangeText } from '../model/domain/planChangeKinds.ts';
import type { RunRecord } from '../model/domain/run.ts';
import { comparedSentence, cureText, mechanismPhrase } from '../model/presentation/comparedWords.ts';
import { comparisonHeadline, comparisonSaid } from '../model/presentation/comparisonSaid.ts';
import { diffHeadline, diffNotes, diffReasons } from '../model/presentation/diffWords.ts';
import { noteTexts } from '../model/presentation/runNotes.ts';
import type { TuningAnswer, TuningRecord } from '../model/domain/tuning.ts';
import { whyText } from '../model/domain/tuningAnswers.ts';
import { wordedFigure } from '../model/domain/verdict/evidence.ts';
import { actionText } from '../model/domain/verdict/nextActions.ts';
import { verdictText } from '../model/domain/verdict/verdictKinds.ts';
import { type EvidenceItem, evidenceText } from '../model/domain/answerEvidence.ts';
import type { VersionDiff } from '../model/domain/versionDiff.ts';

/** A run as `--json` prints it: its record, with what was found in words. The stored `run.json` has codes and figures. */
export function wordedRun(run: RunRecord): object {
  return {
    ...run,
    reasons: findingTexts(run.reasons),
    notes: noteTexts(run.notes),
    plan: withMode(run.plan),
    trials: run.trials.map((trial) => ({
      ...trial,
      reasons: findingTexts(trial.reasons),
      notes: findingTexts(trial.notes),
      diagnosis: trial.diagnosis === null ? null : wordedDiagnosis(trial.diagnosis),
      blocks: trial.blocks.map((block) => ({ ...block, reasons: findingTexts(block.reasons) })),
    })),
    recommendations: run.recommendations.map(({ confirmation, ...one }) => ({
      ...one,
      headline: answerHeadline(one),
      why: whyText({ ...one, confirmation }),
      evidence: one.evidence.map(wordedEvidence),
    })),
    recordings: run.recordings.map((one) => ({ ...one, notes: one.notes.map(profileNoteText) })),
    result: wordedResult(run.result),
  };
}

function wordedResult(result: RunRecord['result']): object {
  if (result.kind === 'tune') return wordedTuning(result);
  return result.kind === 'experiment' ? wordedExperiment(result) : result;
}

function wordedDiagnosis({ said, why, ruledOut, evidence, actions, ...rest }: Diagnosis): object {
  return {
    ...rest,
    headline: headlineOf({ said }),
    explanation: explanationOf({ why }),
    ruledOut: ruledOut.map(({ kind, because }) => ({ kind, because: verdictText(because) })),
    evidence: evidence.map(wordedFigure),
    actions: actions.map((action) => ({ ...action, label: actionText(action) })),
  };
}

function wordedExperiment(experiment: ExperimentRecord): object {
  return {
    ...experiment,
    points: experiment.points.map(({ limitSaid, ...point }) => ({
      ...point,
      limitSentence: limitSaid === null ? null : verdictText(limitSaid),
    })),
    ladders: experiment.ladders.map(({ variant, sign: { said, evidence, ...sign } }) => ({
      variant,
      sign: { ...sign, sentence: verdictText(said), evidence: evidence.map(wordedFigure) },
    })),
  };
}

/** A comparison of two runs with its words. */
export function wordedComparison(comparison: Comparison): object {
  const names = { a: comparison.a.name, b: comparison.b.name };
  const worded = (one: ComparedMetric | null): object | null =>
    one === null
      ? null
      : {
          ...one,
          sentence: comparedSentence(one, names),
          ...(one.cure === undefined ? {} : { cure: cureText(one) }),
          method: methodText(one.method),
          ...(one.byMechanism === undefined ? {} : { byMechanism: mechanismPhrase(one.byMechanism) }),
        };
  return {
    ...comparison,
    headline: comparisonHeadline(comparison),
    said: comparisonSaid(comparison),
    rows: comparison.rows.map((row) => ({
      ...row,
      ...Object.fromEntries(comparedFields.map((field) => [field, worded(row[field])])),
    })),
  };
}

/** A comparison of two versions with its words, which its record does not hold. */
export function wordedDiff(diff: VersionDiff): object {
  const plans = diff.plans?.map(({ sql, change }) => ({ sql, change: planChangeText(change) }));
  const unknown = diff.routes?.map((route) => ({ ...route, unknown: route.unknown === null ? null : diffNoteText(route.unknown) }));
  return {
    ...diff,
    headline: diffHeadline(diff),
    reasons: diffReasons(diff),
    ...(plans === undefined ? {} : { plans }),
    ...(unknown === undefined ? {} : { routes: unknown }),
    notes: diffNotes(diff),
  };
}

/** What it says, and whether it supports the answer. */
export function wordedEvidence(item: EvidenceItem): object {
  const { kind, says } = item;
  return { kind, says, sentence: evidenceText(item) };
}

function withMode<T extends Pick<TuningAnswer, 'modeReasons'>>({ modeReasons, ...rest }: T): object {
  return { ...rest, modeReason: modeText(modeReasons) };
}

function wordedTuning(tuning: TuningRecord): object {
  return {
    ...tuning,
    stage: stepText(tuning.stage),
    probeCost: tuning.probeCost === null ? null : probeCostText(tuning.probeCost),
    answers: tuning.answers.map((answer) => ({
      ...withMode(answer),
      headline: answerHeadline(answer),
      why: reasonsText(answer.why),
      confirmation: answer.confirmation === null ? null : freshText(answer.confirmation),
      gates: answer.gates.map((gate) => ({ id: gateCode(gate), severity: gate.severity, sentence: gateText(gate) })),
      evidence: answer.evidence.map(wordedEvidence),
    })),
  };
}
