export const mostTags = 10;
const longestTag = 30;

/** Reads tags as typed, separated by commas; each once. A problem is one sentence. */
export function parseTags(text: string): { ok: true; tags: string[] } | { ok: false; problem: string } {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim().replace(/^#\s*/, ''))
    .filter((part) => part !== '');
  const tags = [...new Set(parts)];
  if (tags.length > mostTags) return { ok: false, problem: `At most ${mostTags} tags; these are ${tags.length}.` };
  const long = tags.find((tag) => tag.length > longestTag);
  return long === undefined
    ? { ok: true, tags }
    : { ok: false, problem: `“${long.slice(0, longestTag)}…” is too long: at most ${longestTag} characters.` };
}
