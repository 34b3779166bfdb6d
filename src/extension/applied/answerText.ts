import { withoutStop } from '../../model/domain/sentence.ts';
import { answerHeadline, inSentence, keepsToday } from '../../model/domain/answerFacts.ts';
import { listPhrase } from '../../model/domain/format.ts';
import { shortened } from '../../model/domain/plainText.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { tunedAnswers } from '../../model/domain/runResult.ts';
import { settingLabel, type SettingSpec, type SettingSpecs, type SettingValue, type SettingValues } from '../../model/domain/setting.ts';
import type { TuningAnswer } from '../../model/domain/tuning.ts';

/** What a tuning or a run says to use and that can be applied: other values than those in use. */
export function applicableAnswers(run: Pick<RunRecord, 'result' | 'recommendations'>): { target: string; values: SettingValues }[] {
  const compared = run.recommendations.map(({ setting, value, ...answer }) => ({
    ...answer,
    values: value === null ? null : { [setting]: value },
  }));
  // A tuning holds its answers in both forms.
  const answers = run.result.kind === 'tune' ? tunedAnswers(run) : compared;
  return answers.flatMap(({ target, values, ...answer }) =>
    keepsToday(answer) || values === null || Object.keys(values).length === 0 ? [] : [{ target, values }],
  );
}

const longest = 300;

/** The answers of a tuning in a notification: each target’s name first where there are several. */
export function tuningHeadline(answers: readonly TuningAnswer[]): string {
  const [only] = answers;
  const text =
    answers.length === 1 && only !== undefined
      ? answerHeadline(only)
      : answers.map((answer) => `${answer.targetLabel}: ${withoutStop(answerHeadline(answer))}`).join('. ');
  return shortened(text, longest);
}

/** Settings and values in a sentence: "pool size 8 and threads 50". */
export function valuesPhrase(values: SettingValues, settings: SettingSpecs): string {
  return listPhrase(Object.entries(values).map(([name, value]) => `${inSentence(settingLabel(name, settings[name]))} ${value}`));
}

/** What a person would paste where the setting is set: `DB_POOL_SIZE=8`, or the arguments of the command. Null when it reaches nothing. */
export function assignmentText(spec: SettingSpec, value: SettingValue): string | null {
  if (spec.env !== undefined) return `${spec.env}=${value}`;
  return spec.arguments?.map((argument) => argument.replaceAll('{value}', String(value))).join(' ') ?? null;
}
