import { settingsPhrase, wholeNumber } from '../../model/domain/format.ts';
import type { LiveSample } from '../../model/protocol/live.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import { statusText } from './progressText.ts';

/** What the status bar says of a live session: "java · pool 8 · 7,940 req/s". Without a sample yet, what is being done. */
export function liveStatusText(target: string, values: SettingValues, latest: LiveSample | null, doing: string): string {
  const rate = latest === null ? doing : `${wholeNumber(latest.throughput)} req/s`;
  return statusText([target, settingsPhrase(values), rate].filter((part) => part !== '').join(' · '));
}
