import { bytesPhrase, wholeNumber } from './format.ts';
import type { Trial } from './run.ts';

/** The heads of the columns that {@link instanceCells} fills; all but the first are figures. */
export const instanceColumns: readonly string[] = ['process', 'requests/s', 'CPU %', 'memory'];

const none = '–';

/** What each instance of a trial did and used, and the proxy before them: a row of text for each; none where there is one process alone. */
export function instanceCells({ instances, proxy }: Pick<Trial, 'instances' | 'proxy'>): string[][] {
  const known = (value: number | null, phrase: (value: number) => string): string => (value === null ? none : phrase(value));
  return [
    ...(instances ?? []).map(({ requestsPerSecond, cpuPercent, rssBytes }, index) => [
      `instance ${index + 1}`,
      known(requestsPerSecond, wholeNumber),
      known(cpuPercent, wholeNumber),
      known(rssBytes, bytesPhrase),
    ]),
    ...(proxy === undefined ? [] : [['nginx', none, known(proxy.cpuPercent, wholeNumber), none]]),
  ];
}
