/**
 * An option as JAVA_TOOL_OPTIONS has it. The JVM ends one at a blank, reads the text between two quotes of a kind literally, and knows no other escape. Source:
 * arguments.cpp of HotSpot, parse_options_buffer.
 */
export function javaToolOption(option: string): string {
  if (!/[\s'"]/.test(option)) return option;
  return option
    .split("'")
    .map((part) => (part === '' ? '' : `'${part}'`))
    .join(`"'"`);
}
