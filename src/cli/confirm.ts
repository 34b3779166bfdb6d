import { createInterface } from 'node:readline/promises';
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
export async function confirm(
  question: string,
  signal: AbortSignal,
  otherwise = false,
  { input, output }: Asked = { input: process.stdin, output: process.stderr },
): Promise<boolean | null> {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  const lines = createInterface({ input, output });
  try {
    const answer = await lines.question(`${withoutControls(question)} ${otherwise ? '[Y/n]' : '[y/N]'} `, { signal });
    return answer.trim() === '' ? otherwise : /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Asks for a word; Enter alone means what is proposed, which may be nothing. Null where there is nobody to ask. */
export async function askText(
  question: string,
  proposal: string,
  signal: AbortSignal,
  { input, output }: Asked = { input: process.stdin, output: process.stderr },
): Promise<string | null> {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  const lines = createInterface({ input, output });
  try {
    const said = await lines.question(`${withoutControls(question)} [${withoutControls(proposal === '' ? 'leave it open' : proposal)}] `, {
      signal,
    });
    return said.trim() === '' ? proposal : said.trim();
  } finally {
    lines.close();
  }
}

/** Asks for one of `count` numbered things, from 1; Enter alone means the first. Null where none is meant, or there is nobody to ask. */
export async function chooseNumber(
  question: string,
  count: number,
  signal: AbortSignal,
  { input, output }: Asked = { input: process.stdin, output: process.stderr },
): Promise<number | null> {
  if (input.isTTY !== true || output.isTTY !== true) return null;
  const lines = createInterface({ input, output });
  try {
    for (;;) {
      const answer = (await lines.question(`${withoutControls(question)} [1] `, { signal })).trim();
      if (answer === '') return 1;
      if (/^(?:0|n|no|none|q)$/i.test(answer)) return null;
      const number = Number(answer);
      if (Number.isInteger(number) && number >= 1 && number <= count) return number;
    }
  } finally {
    lines.close();
  }
}
