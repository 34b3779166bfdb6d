import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Output, type Stream } from '../../../src/cli/output.ts';
import { anyText } from '../../support/anyText.ts';
import { hostileTexts } from '../../support/hostileTexts.ts';

/** A terminal, or a pipe, that keeps what it was given. */
class Kept implements Stream {
  text = '';
  readonly columns = 60;
  constructor(readonly isTTY: boolean) {}
  write(data: string | Uint8Array, done?: () => void): void {
    this.text += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
    done?.();
  }
}

const carriedOut = /[\p{Cc}\p{Bidi_Control}]/u;

function written(text: string, isTTY: boolean): { stdout: string; stderr: string } {
  const [out, err] = [new Kept(isTTY), new Kept(isTTY)];
  const output = new Output(out, err);
  output.print(text);
  output.json({ [text]: text });
  output.tell(text);
  output.line?.show(text);
  output.line?.clear();
  if (isTTY) void output.document(text);
  return { stdout: out.text, stderr: err.text };
}

/** What is left when the line ends, the tabs, and the two characters with which a line of progress is emptied are removed. */
function rest({ stdout, stderr }: { stdout: string; stderr: string }): string {
  return `${stdout}${stderr.replaceAll('\r\u001b[2K', '')}`.replace(/[\n\t]/g, '');
}

describe('what the terminal is given', () => {
  it('carries nothing out of any text, on a terminal and in a pipe', () => {
    fc.assert(fc.property(anyText, fc.boolean(), (text, isTTY) => !carriedOut.test(rest(written(text, isTTY)))));
    expect(hostileTexts.filter((text) => carriedOut.test(rest(written(text, true))))).toEqual([]);
  });

  it('is in JSON what was meant', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const out = new Kept(false);
        new Output(out, new Kept(false)).json({ text });
        return (JSON.parse(out.text) as { text: string }).text === text;
      }),
    );
  });

  it('is no command to whoever runs a CI job, and stays readable', () => {
    const jobCommand = /^\s*::|##(?:vso|teamcity)?\[/m;
    const said = [
      '::add-mask::x',
      '  ::error file=a,line=1::x',
      'ok\n\t::stop-commands::x',
      'x ##[group]y',
      '##vso[task.setvariable variable=a]b',
      '##teamcity[x]',
    ];
    for (const text of said) {
      const { stdout, stderr } = written(text, false);
      expect(jobCommand.test(stdout.replace(/^\{.*\}$/m, '')), text).toBe(false);
      expect(jobCommand.test(stderr), text).toBe(false);
    }
    expect(written('listening on ::1:8080, a::b, ## [x]', false).stderr).toBe('listening on ::1:8080, a::b, ## [x]\n');
    expect(written('::1 is IPv6', false).stderr).toBe('::1 is IPv6\n');
  });

  it('is a document to the byte where a program reads it', async () => {
    const out = new Kept(false);
    await new Output(out, new Kept(false)).document('a,b\r\n1,2\r\n');
    expect(out.text).toBe('a,b\r\n1,2\r\n');
  });

  it('has a line of progress on a terminal only, no wider than that', () => {
    const err = new Kept(true);
    new Output(new Kept(true), err).line?.show('x'.repeat(100));
    expect(err.text).toBe(`\r\u001b[2K${'x'.repeat(59)}`);
    expect(new Output(new Kept(true), new Kept(false)).line).toBeNull();
  });
});
