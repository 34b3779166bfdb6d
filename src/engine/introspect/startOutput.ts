const frame = /^\s{0,20}(?:at\s\S|\.{3} \d{1,6} (?:common frames omitted|more)\b)/;

/** The end of what a program printed, with the first frame of each trace: the lines between traces say what is wrong. */
export function withoutFrames(output: string, most: number): string {
  const lines = output.split('\n');
  return lines
    .filter((line, index) => !frame.test(line) || (/^\s*at/.test(line) && !frame.test(lines[index - 1] ?? '')))
    .slice(-most)
    .join('\n');
}
