/** A word of a command that passes a number to the program. */
export interface CommandArgument {
  /** With `{value}` in the number's place. */
  argument: string;
  /** Which word of the command it takes the place of; null: it comes after the program, as options of Java do. */
  replaces: number | null;
}

const isJava = /(?:^|[\\/]|^\{)java(?:\.exe|\})?$/i;

/** The words of a command that are this number, or end in it after `=`. */
export function numbersIn(words: readonly string[], size: number): CommandArgument[] {
  const takesArguments = words.includes('{arguments}');
  return words.flatMap((word, index): CommandArgument[] => {
    const before = new RegExp(`^(|.*=)${size}$`, 's').exec(word)?.[1];
    // Where arguments have their place already, an argument from elsewhere cannot be moved there.
    const fits = !takesArguments || word.startsWith('-D');
    return index === 0 || before === undefined || !fits ? [] : [{ argument: `${before}{value}`, replaces: index }];
  });
}

/** How a call of Java gets these system properties; none for anything else, since scripts and build tools do not hand them on. */
export function propertiesOf(words: readonly string[], names: readonly string[]): CommandArgument[] {
  if (!isJava.test(words[0] ?? '')) return [];
  return names.map((name) => {
    const at = words.findIndex((word) => word.startsWith(`-D${name}=`));
    return { argument: `-D${name}={value}`, replaces: at === -1 ? null : at };
  });
}

/** A command with what each of these says in the place where it says it. */
export function commandWith(words: readonly string[], told: readonly { source: CommandArgument; value: string }[]): string[] {
  const said = ({ source, value }: { source: CommandArgument; value: string }): string => source.argument.replaceAll('{value}', value);
  const inPlace = new Map(told.map((one) => [one.source.replaces, said(one)] as const));
  const [program = '', ...rest] = words.map((word, index) => inPlace.get(index) ?? word);
  return [program, ...told.flatMap((one) => (one.source.replaces === null ? [said(one)] : [])), ...rest];
}

/** A command in which a setting’s argument has its place. */
export function commandTaking(words: readonly string[], { replaces }: CommandArgument): string[] {
  const without = replaces === null ? [...words] : words.filter((_, index) => index !== replaces);
  if (without.includes('{arguments}')) return without;
  const at = replaces ?? 1;
  return [...without.slice(0, at), '{arguments}', ...without.slice(at)];
}
