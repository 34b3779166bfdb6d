/** Words with which programs say that a variable is not there, or that they need one. */
const missing =
  /\b(?:missing|required|undefined|not (?:set|defined|provided|found|given)|must be (?:set|defined|provided)|is empty|(?:resolve|substitute) placeholder)\b/i;
/** A name of capitals with at least one underscore; one without comes with a word for what it is, or is not set: nothing else in capitals is said to be that. */
const withUnderscore = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const named =
  /\b(?:env(?:ironment)?(?:[ .]variable)?|variable|process\.env\.)\W{0,3}([A-Z][A-Z0-9]{2,})\b|\b([A-Z][A-Z0-9]{2,}) (?:is|was) not set\b/g;
/** Names of that form that are codes of errors. */
const errorCode = /^(?:ERR|E|DEP|SQLSTATE)_|_(?:NOT_FOUND|ERROR|EXCEPTION)$/;
const longestLine = 500;

/** The environment variable that the last output of a program names as missing; null where it names none, or only what it was `given`. */
export function missingVariable(output: string, given: readonly string[]): string | null {
  for (const whole of output.split('\n').reverse()) {
    const line = whole.slice(0, longestLine);
    if (!missing.test(line)) continue;
    const names = [...[...line.matchAll(named)].map(([, after, before]) => after ?? before ?? ''), ...(line.match(withUnderscore) ?? [])];
    const found = names.find((name) => !errorCode.test(name) && !given.includes(name));
    if (found !== undefined) return found;
  }
  return null;
}
