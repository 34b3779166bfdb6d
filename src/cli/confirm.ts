import { type Interface, createInterface } from 'node:readline/promises';
import { withoutControls } from '../model/domain/plainText.ts';

/** The input of the answers, and the output of the questions. */
interface Asked {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream & { isTTY?: boolean };
}

/**
 * Asks on the terminal; Enter alone means `otherwise`. Null without a terminal at standard input and standard error. A question holds names and
 * commands of an untrusted folder, which must not be able to hide them.
 */
export async function confirm(question: string, signal: AbortSignal, otherwise = false, asked?: Asked): Promise<boolean | null> {
  return asking(asked, async (lines) => {
    const answer = await lines.question(`${withoutControls(question)} ${otherwise ? '[Y/n]' : '[y/N]'} `, { signal });
    return answer.trim() === '' ? otherwise : /^y(?:es)?$/i.test(answer.trim());
  });
}

/** Asks for a word; Enter alone means the proposal, which may be empty. Null without a terminal. */
export async function askText(question: string, proposal: string, signal: AbortSignal, asked?: Asked): Promise<string | null> {
  return asking(asked, async (lines) => {
    const said = await lines.question(`${withoutControls(question)} [${withoutControls(proposal === '' ? 'leave it open' : proposal)}] `, {
      signal,
    });
    return said.trim() === '' ? proposal : said.trim();
  });
}

/** Asks for one of `count` numbered things, from 1; Enter alone means the first. Null for 0, or without a terminal. */
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

/** Null without a terminal. */
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
