const mostLines = 10;
const frame = /^\s{1,20}at\s/;

/** The last lines of a log. The line that the last stack trace belongs to comes first, where it is above them. */
export function logExcerpt(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  const last = lines.slice(-mostLines);
  const cause = lines.findLastIndex((line, index) => !frame.test(line) && frame.test(lines[index + 1] ?? ''));
  return cause === -1 || cause >= lines.length - mostLines ? last : [lines[cause] ?? '', '…', ...last.slice(2)];
}
