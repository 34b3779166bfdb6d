import { figure, wholeNumber } from '../../model/domain/format.ts';
import { counted } from '../../model/domain/routeBudget.ts';
import type { MachineResolution } from '../../model/domain/machineFacts.ts';
import { type MachineCheck, resolutionText } from '../../model/presentation/machineChecks.ts';
import { escapeMarkdown } from '../kit/row.ts';

const words = { ok: 'Fine', disturbed: 'Disturbed', warning: 'Look at this', error: 'Must be cured' } as const;
const marks = { ok: '✓', disturbed: '~', warning: '!', error: '✗' } as const;

/** Check This Machine as a Markdown page: the smallest detectable difference first, then whether it is ready, what must be cured, and everything that was checked. */
export function checkDocument(checks: readonly MachineCheck[], resolution: MachineResolution | null, checkedAt: Date): string {
  const errors = checks.filter((check) => check.status === 'error');
  const disturbed = checks.filter((check) => check.status === 'disturbed');
  const warnings = checks.filter((check) => check.status === 'warning');
  const answer =
    errors.length > 0
      ? `**Not ready yet:** ${counted(errors.length, 'thing')} must be cured first.`
      : disturbed.length > 0
        ? `Everything that is needed is here${warnings.length === 0 ? '' : `, with ${counted(warnings.length, 'thing')} worth knowing`}. **The machine is disturbed at the moment:** that makes intervals wider and takes no answer away.`
        : warnings.length > 0
          ? `**Ready,** with ${counted(warnings.length, 'thing')} worth knowing.`
          : '**Ready.** Everything that was looked at is as it should be.';
  const cures = [...errors, ...warnings, ...disturbed].map((check) => {
    const cure = check.cure === null ? '' : `\n\n${escapeMarkdown(check.cure)}`;
    return `### ${escapeMarkdown(check.label)}\n\n${escapeMarkdown(check.message)}${cure}\n`;
  });
  const rows = checks.map(
    (check) => `| ${marks[check.status]} ${words[check.status]} | ${escapeMarkdown(check.label)} | ${escapeMarkdown(check.message)} |`,
  );
  return [
    '# Check This Machine',
    '',
    ...(resolution === null ? [] : [`**${escapeMarkdown(resolutionText(resolution))}**`, '', evenness(resolution), '']),
    answer,
    '',
    ...cures,
    '## All checks',
    '',
    '| | What | Found |',
    '|:--|:--|:--|',
    ...rows,
    '',
    `Checked at ${checkedAt.toLocaleTimeString('en-GB')}.`,
    '',
  ].join('\n');
}

function evenness({ measuredS, pairSdPercent, pairs }: MachineResolution): string {
  return `Measured for ${wholeNumber(measuredS)} s with steady work on every core: two neighbouring slices of a quarter of a second differ by ${figure(pairSdPercent)} %, and a minute has ${pairs} pairs of them.`;
}
