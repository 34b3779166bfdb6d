import { misread, understood, type Parsed } from '../../model/domain/parsed.ts';

export const mostTags = 10;
const longestTag = 30;

/** Reads tags as typed, separated by commas; each once. A problem is one sentence. */
export function parseTags(text: string): Parsed<string[]> {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim().replace(/^#\s*/, ''))
    .filter((part) => part !== '');
  const tags = [...new Set(parts)];
  if (tags.length > mostTags) return misread(`At most ${mostTags} tags; these are ${tags.length}.`);
  const long = tags.find((tag) => tag.length > longestTag);
  return long === undefined ? understood(tags) : misread(`“${long.slice(0, longestTag)}…” is too long: at most ${longestTag} characters.`);
}
