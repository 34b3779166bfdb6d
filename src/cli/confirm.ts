import { createInterface } from 'node:readline/promises';
import type { Interface } from 'node:readline/promises';
import { withoutControls } from '../model/plainText.ts';

/** Who is asked, and where it is said. */
interface Asked {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/**
 * Asks on the terminal; Enter alone means `otherwise`. Null where there is nobody to ask, since standard input or standard error is none. A question holds names and
 * commands of a folder that somebody else may have written, and must not be able to hide them.
 */
export async function confirm(question: string, signal: AbortSignal, otherwise = false, asked?: Asked): Promise<boolean | null> {
  return asking(asked, async (lines) => {
    const answer = await lines.question(`${withoutControls(question)} ${otherwise ? '[Y/n]' : '[y/N]'} `, { signal });
    return answer.trim() === '' ? otherwise : /^y(?:es)?$/i.test(answer.trim());
  });
}

/** Asks for a word; Enter alone means what is proposed, which may be nothing. Null where there is nobody to ask. */
export async function askText(question: string, proposal: string, signal: AbortSignal, asked?: Asked): Promise<string | null> {
  return asking(asked, async (lines) => {
    const said = await lines.question(`${withoutControls(question)} [${withoutControls(proposal === '' ? 'leave it open' : proposal)}] `, {
      signal,
    });
    return said.trim() === '' ? proposal : said.trim();
  });
}

/** Asks for one of `count` numbered things, from 1; Enter alone means the first. Null where none is meant, or there is nobody to ask. */
export async function chooseNumber(question: string, count: number, signal: AbortSignal, asked?: Asked): Promise<number | null> {
  return asking(asked, async (lines) => {
    for (;;) {
      const answer = (await lines.question(`${withoutControls(question)} [1] `, { signal })).trim();
      if (answer === '') return 1;
      if (/^(?:0|n|no|none|q)$/i.test(answer)) return null;
      const number = Number(answer);
      if (Number.isInteger(number) && number >= 1 && number <= count) return number;
    }
  });
}

/** Null where there is nobody to ask. */
async function asking<T>(
  { input, output }: Asked = { input: process.stdin, output: process.stderr },
  ask: (lines: Interface) => Promise<T>,
): Promise<T | null> {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  const lines = createInterface({ input, output });
  try {
    return await ask(lines);
  } finally {
    lines.close();
  }
}
