import { findingsOf, type FoundService } from '../../model/domain/detection.ts';
import type { Choice } from '../kit/safeUi/dialogs.ts';

/** The heading of the services that are in the folder and are not declared yet. */
export const foundHeading = 'This folder';

/** Rows of services that are not declared yet, before all others: the first is chosen beforehand, and where there is one, no sample is. */
export function foundChoices(found: readonly FoundService[]): (Choice & { setUp: FoundService })[] {
  return found.map((service, index) => ({
    label: service.label,
    description: `${placeOf(service)}, ${setUpPhrase(service)}`,
    picked: index === 0,
    setUp: service,
  }));
}

/** The file by which it is known to be one. */
export function placeOf({ because }: FoundService): string {
  return `${because.split(' ')[0] ?? because} here`;
}

/** How long setting it up takes as a rule: it is started, looked at under no load, and ended. A JVM starts slowly. */
export function setUpPhrase({ findings }: FoundService): string {
  const jvm = findingsOf(findings, 'command').some(({ runtime }) => runtime === 'jvm');
  return `about ${jvm ? 20 : 5} s to set up`;
}
