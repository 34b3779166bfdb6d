/** A time as the name of a file has it: "20261121-1402". */
export function fileTime(startedAt: string): string {
  return startedAt.slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
}
