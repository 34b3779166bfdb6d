import { withoutStop } from '../../model/sentence.ts';
import { keepsToday } from '../../model/answerFacts.ts';
import type { SettingValues } from '../../model/setting.ts';
import type { TuningAnswer } from '../../model/tuning.ts';

/** An answer that recommends something. */
export type Recommending = TuningAnswer & { values: SettingValues };

/** The answers whose values can be applied: those that recommend some other than what is in use. */
export function applicableAnswers(answers: readonly TuningAnswer[]): Recommending[] {
  return answers.filter(
    (answer): answer is Recommending => !keepsToday(answer) && answer.values !== null && Object.keys(answer.values).length > 0,
  );
}

const longest = 300;

/** The answers of a tuning in a notification: each target’s name first where there are several. */
export function tuningHeadline(answers: readonly TuningAnswer[]): string {
  const [only] = answers;
  const text =
    answers.length === 1 && only !== undefined
      ? only.headline
      : answers.map(({ targetLabel, headline }) => `${targetLabel}: ${withoutStop(headline)}`).join('. ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
