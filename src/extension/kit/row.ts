import { onOneLine } from '../../model/domain/plainText.ts';
import { commandId, type CommandName } from './commandId.ts';

/** Of what is being measured. It does not move: an icon that spins is drawn 60 times a second, on the cores of what is measured. */
export const measuringIcon = 'pulse';

/** How a row of a tree looks, without any editor type: `icon` is a codicon, `colour` a theme colour. */
export interface Row {
  label: string;
  description: string;
  icon: string;
  colour?: string;
  /** What a screen reader says. */
  spoken: string;
  /** Markdown; texts in it are escaped. */
  tooltip: string;
}

/** Escapes a text for Markdown, on one line, so that names from files cannot make links (bare addresses neither), pictures, icons or commands. */
export function escapeMarkdown(text: string): string {
  return onOneLine(text)
    .replace(/\$(?=\()/g, '$ ')
    .replace(/[\\`*_{}[\]()#+\-.!|<>~$&:@=]/g, '\\$&');
}

/** A link of a hover that runs a command of Benchside; the hover has to allow that command. What is in the arguments can neither end the link nor the address. */
export function commandLink(label: string, command: CommandName, args: readonly string[]): string {
  // The editor decodes the address twice: a percent sign goes as JSON has it.
  const address = encodeURIComponent(JSON.stringify(args).replaceAll('%', '\\u0025')).replace(
    /[()*'!~_]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `[${escapeMarkdown(label)}](command:${commandId(command)}?${address})`;
}

/** When a run was made, as a person says it: "today 09:41", "yesterday 17:03", "3 Nov 09:41". Nothing that is wrong a minute later. */
export function whenPhrase(startedAt: string, now: Date): string {
  const date = new Date(startedAt);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  const clock = `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (daysAgo === 0) return `today ${clock}`;
  if (daysAgo === 1) return `yesterday ${clock}`;
  const year = date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${date.toLocaleString('en-GB', { month: 'short' })}${year} ${clock}`;
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
