import { describe, expect, it } from 'vitest';
import { yesLine } from '../../../src/cli/initWays.ts';

describe('the command line that writes what was found', () => {
  it('names the command that was given, as a shell reads it', () => {
    expect(yesLine([])).toBe('benchside init --yes');
    expect(yesLine(['npm', 'start'])).toBe('benchside init --yes -- npm start');
    expect(yesLine(['node', 'my app.js'])).toBe("benchside init --yes -- node 'my app.js'");
  });
});
