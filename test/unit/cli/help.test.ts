import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../src/cli/arguments.ts';

function said(line: string): string {
  const { say } = parseCommand(line.split(' ').filter((word) => word !== ''));
  if (say === undefined) throw new Error(`“${line}” does something`);
  return say;
}

describe('a command line', () => {
  it('that asks for help or the version gets it, whatever else it says', () => {
    const whole = said('--help');
    for (const line of ['', '-h', 'nonsense -h']) expect(said(line)).toBe(whole);
    for (const word of [
      'run',
      'runs',
      'tune',
      'experiment',
      'raw query',
      'compare',
      'report',
      'delete',
      'flamegraph',
      'databases',
      'check',
      'stop',
    ])
      expect(whole).toMatch(new RegExp(`^ {2}${word} `, 'm'));
    for (const line of ['run --help', 'run --target node --rounds 3 -h', 'help run']) expect(said(line)).toBe(said('run -h'));
    expect(said('run -h')).toMatch(/^Usage: benchside run \[options\]$/m);
    expect(said('--version')).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('finds in the help each option that it takes, with what it means, and those of all commands', () => {
    for (const command of ['run', 'tune', 'experiment', 'compare', 'report', 'flamegraph', 'raw export']) {
      const help = said(`${command} --help`);
      const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)(?: [<[]\S+)? {2,}\S/gm)].map((match) => match[1] ?? '');
      expect(options).toEqual(expect.arrayContaining(['--json', '--workspace', '--postgres-url', '--help']));
      expect(options.length).toBeGreaterThan(6);
      for (const option of options) expect(said('--help'), option).toContain(option);
    }
  });

  it('is laid out within the width of the terminal, or of 80 characters in one that is narrower', () => {
    const widest = (columns: number): number => {
      const { say } = parseCommand(['run', '--help'], columns);
      return Math.max(...(say ?? '').split('\n').map((line) => line.length));
    };
    expect(widest(100)).toBeLessThanOrEqual(100);
    expect(widest(20)).toBe(widest(80));
  });
});
