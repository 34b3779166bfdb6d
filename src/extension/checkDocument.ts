import type { CheckResult } from '../model/protocol.ts';
import { escapeMarkdown } from './labels.ts';

const words = { ok: 'Ready', warning: 'Look at this', error: 'Must be cured' } as const;
const marks = { ok: '✓', warning: '!', error: '✗' } as const;

/** Check This Machine as a Markdown page: the answer first, then what must be cured, then everything that was looked at. */
export function checkDocument(checks: readonly CheckResult[], checkedAt: Date): string {
  const errors = checks.filter((check) => check.status === 'error');
  const warnings = checks.filter((check) => check.status === 'warning');
  const answer =
    errors.length > 0
      ? `**Not ready yet:** ${count(errors.length, 'thing')} must be cured first.`
      : warnings.length > 0
        ? `**Ready,** with ${count(warnings.length, 'thing')} worth knowing.`
        : '**Ready.** Everything that was looked at is as it should be.';
  const cures = [...errors, ...warnings].map((check) => {
    const cure = check.cure === null ? '' : `\n\n${escapeMarkdown(check.cure)}`;
    return `### ${escapeMarkdown(check.label)}\n\n${escapeMarkdown(check.message)}${cure}\n`;
  });
  const rows = checks.map(
    (check) => `| ${marks[check.status]} ${words[check.status]} | ${escapeMarkdown(check.label)} | ${escapeMarkdown(check.message)} |`,
  );
  return [
    '# Check This Machine',
    '',
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

function count(howMany: number, what: string): string {
  return `${howMany} ${what}${howMany === 1 ? '' : 's'}`;
}
