import { bytesPhrase, figure, wholeNumber } from './format.ts';
import type { Trial } from './run.ts';

/** The heads of the columns that {@link instanceCells} fills; all but the first are figures. */
export const instanceColumns: readonly string[] = ['process', 'requests/s', 'CPU %', 'memory'];

const none = '–';

/** What each instance of a trial did and used, the proxy before them and the PgBouncer behind: a row of text for each; none where there is one process alone. */
export function instanceCells({ instances, proxy, bouncer }: Pick<Trial, 'instances' | 'proxy' | 'bouncer'>): string[][] {
  const known = (value: number | null, phrase: (value: number) => string): string => (value === null ? none : phrase(value));
  return [
    ...(instances ?? []).map(({ requestsPerSecond, cpuPercent, rssBytes }, index) => [
      `instance ${index + 1}`,
      known(requestsPerSecond, wholeNumber),
      known(cpuPercent, wholeNumber),
      known(rssBytes, bytesPhrase),
    ]),
    ...(proxy === undefined ? [] : [['nginx', none, known(proxy.cpuPercent, wholeNumber), none]]),
    ...(bouncer === undefined ? [] : [[bouncerName(bouncer), none, known(bouncer.cpuPercent, wholeNumber), none]]),
  ];
}

/** “PgBouncer (transaction): 7.9 of 8 busy, 24 waiting”. */
function bouncerName({ mode, poolSize, busy, waiting }: NonNullable<Trial['bouncer']>): string {
  const seen =
    busy === null || waiting === null ? `pool of ${poolSize}` : `${figure(busy)} of ${poolSize} busy, ${figure(waiting)} waiting`;
  return `PgBouncer (${mode}): ${seen}`;
}
