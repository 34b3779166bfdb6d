/**
 * An option as JAVA_TOOL_OPTIONS has it. The JVM ends one at a blank, takes what stands between two quotes of a kind as it is, and knows no other escape.
 * Source: arguments.cpp of HotSpot, parse_options_buffer.
 */
export function javaToolOption(option: string): string {
  if (!/[\s'"]/.test(option)) return option;
  return option
    .split("'")
    .map((part) => (part === '' ? '' : `'${part}'`))
    .join(`"'"`);
}
