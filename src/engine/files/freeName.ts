/** The first name that is not taken, which it then is: `first`, else what `numbered` makes of 2, 3, and so on. */
export function freeName(first: string, numbered: (number: number) => string, taken: Set<string>): string {
  let name = first;
  for (let number = 2; taken.has(name); number += 1) name = numbered(number);
  taken.add(name);
  return name;
}
