/** All that there is of these parts, one after the other: lists are taken apart, and null, undefined and false are nothing. */
export function present<T extends string | object>(...parts: readonly (T | readonly T[] | null | undefined | false)[]): T[] {
  return parts.flatMap((part): T | readonly T[] => (part === null || part === undefined || part === false ? [] : part));
}
