import { inSentence } from '../../model/domain/answerFacts.ts';
import { listPhrase } from '../../model/domain/format.ts';
import { settingLabel, type SettingSpec, type SettingSpecs, type SettingValue, type SettingValues } from '../../model/domain/setting.ts';

/** Settings and values in a sentence: "pool size 8 and threads 50". */
export function valuesPhrase(values: SettingValues, settings: SettingSpecs): string {
  return listPhrase(Object.entries(values).map(([name, value]) => `${inSentence(settingLabel(name, settings[name]))} ${value}`));
}

/** What a person would paste where the setting is set: `DB_POOL_SIZE=8`, or the arguments of the command. Null when it reaches nothing. */
export function assignmentText(spec: SettingSpec, value: SettingValue): string | null {
  if (spec.env !== undefined) return `${spec.env}=${value}`;
  return spec.arguments?.map((argument) => argument.replaceAll('{value}', String(value))).join(' ') ?? null;
}
