import { describe, expect, it } from 'vitest';
import { escapeMarkdown, whenPhrase } from '../../../../src/extension/kit/row.ts';

const now = new Date(2026, 10, 21, 12, 0);
const at = (month: number, day: number, hour: number): string => new Date(2026, month, day, hour, 5).toISOString();
describe('when a run was made', () => {
  it('is today, yesterday, or a date, with the year only when it is another one', () => {
    expect(whenPhrase(at(10, 20, 23), now)).toBe('yesterday 23:05');
    expect(whenPhrase(at(10, 3, 9), now)).toBe('3 Nov 09:05');
    expect(whenPhrase(new Date(2025, 0, 2, 8, 0).toISOString(), now)).toBe('2 Jan 2025 08:00');
    expect(whenPhrase('nonsense', now)).toBe('unknown time');
  });
});

describe('texts from files in Markdown', () => {
  it('make no links, images, commands, icons, tables or lines of their own', () => {
    const escaped = escapeMarkdown('[x](command:evil) ![y](http://z) $(bug) <b> a|b\n# c');
    expect(escaped).toBe('\\[x\\]\\(command\\:evil\\) \\!\\[y\\]\\(http\\://z\\) \\$ \\(bug\\) \\<b\\> a\\|b \\# c');
  });
});
