import { createInterface } from 'node:readline/promises';

/** Asks on the terminal; Enter alone means `otherwise`. Null where there is nobody to ask, since standard input or standard error is none. */
export async function confirm(question: string, signal: AbortSignal, otherwise = false): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} ${otherwise ? '[Y/n]' : '[y/N]'} `, { signal });
    return answer.trim() === '' ? otherwise : /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
