import leven from 'leven';
import * as z from 'zod';

export interface SchemaIssue {
  path: (string | number)[];
  message: string;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** The keys that an object may have, by the list of those that it has and may not: finished issues have no schema. */
const allowedKeys = new WeakMap<readonly string[], readonly string[]>();

/** For a check whose issues a person reads: says of what is missing that it is, and of another kind of thing which one is expected. */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.core.$ZodObject)
    allowedKeys.set(issue.keys, Object.keys(issue.inst._zod.def.shape));
  if (issue.code !== 'invalid_type') return undefined;
  const kind = kinds[issue.expected] ?? issue.expected;
  return issue.input === undefined ? `it is missing, and has to be ${kind}` : `it has to be ${kind}`;
};

/**
 * The issues of a failed check, one for each thing that is wrong. Where several forms are allowed, the one that was meant speaks (the
 * one that fits best), instead of “Invalid input”; a key that is not known is named by its own place.
 *
 * @param most where no more are shown: a document of tens of thousands is not read to its end
 */
export function plainIssues(error: z.ZodError, most = Number.POSITIVE_INFINITY): SchemaIssue[] {
  const found: SchemaIssue[] = [];
  for (const issue of error.issues) {
    if (found.length >= most) break;
    found.push(...flatten([issue], []));
  }
  return found.slice(0, most);
}

function flatten(issues: readonly z.core.$ZodIssue[], base: readonly (string | number)[]): SchemaIssue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) return flatten(meantForm(issue.errors), path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const meant = nearestWord(key, allowedKeys.get(issue.keys) ?? []);
        return {
          path: [...path, key],
          message: `there is no such key here; ${meant === null ? 'check its spelling' : `the nearest one is “${meant}”`}`,
        };
      });
    return [{ path, message: issue.message }];
  });
}

/** A wrong kind of thing (no object, another `kind`) says more against a form than a wrong value within it. */
function meantForm(forms: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const distance = (issues: readonly z.core.$ZodIssue[]): number =>
    issues.reduce(
      (sum, issue) => sum + (issue.path.length === 0 && issue.code === 'invalid_type' ? 100 : issue.path[0] === 'kind' ? 50 : 1),
      0,
    );
  return [...forms].sort((a, b) => distance(a) - distance(b))[0] ?? [];
}

/** A longer text is no misspelled key. */
const longestWord = 100;

/** The word that was probably meant: the nearest one by edit distance, letters of either case alike, where it differs in few of its letters. */
function nearestWord(word: string, words: readonly string[]): string | null {
  if (word.length > longestWord) return null;
  const most = Math.min(3, Math.floor(word.length / 2.5) || 1);
  const near = words
    .map((one) => ({ one, far: leven(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= most && far < one.length);
  return near.sort((a, b) => a.far - b.far)[0]?.one ?? null;
}
