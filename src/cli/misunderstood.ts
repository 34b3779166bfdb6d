import type { CommanderError } from 'commander';
import { wrong } from './values.ts';

/** Thrown when nothing but a text was asked for. */
export const said = new Error('said');

/** What commander does not understand, in our words; `command` as a person says it. */
export function misunderstood(command: string): (error: CommanderError) => never {
  return ({ code, message: output }) => {
    if (code === 'commander.version' || code.startsWith('commander.help')) throw said;
    const [problem = '', suggestion = ''] = output
      .replace(/^error: /, '')
      .replace(/'([^']*)'/g, '“$1”')
      .split('\n');
    const sentence = `“${command}”: ${problem.replace(/\.$/, '')}.`;
    throw wrong(sentence, `${suggestion.replace(/^\((.*)\)$/, '$1 ')}See “${command} --help”.`);
  };
}
