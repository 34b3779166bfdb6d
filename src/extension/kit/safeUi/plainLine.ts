import { onOneLine } from '../../../model/domain/plainText.ts';

/** More than that is read nowhere in the editor's own surfaces. */
const longest = 1_000;

/**
 * A text as the editor's own surfaces may have it. A notification, a progress, the prompt and the complaint of an input make a link of `[text](command:…)`,
 * which a click carries out, and a row of a list or the status bar makes a picture of `$(name)`: a space takes both their meaning.
 */
export function plainLine(text: string): string {
  return onOneLine(text, longest)
    .replace(/\](?=\()/g, '] ')
    .replace(/\$(?=\()/g, '$ ');
}
