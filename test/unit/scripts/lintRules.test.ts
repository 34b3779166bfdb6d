import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of a source on which the rule of this house finds something. */
function found(rule: string, lines: readonly string[]): string[] {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  const config = { jsPlugins: [path.join(root, 'scripts/lint/house.mjs')], rules: { [`house/${rule}`]: 'error' } };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'src/planted.ts'), `${lines.join('\n')}\n`);
  let out: string;
  try {
    out = execFileSync(path.join(root, 'node_modules/.bin/oxlint'), ['-c', '.oxlintrc.json', '--format', 'json', 'src'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    out = (error as { stdout: string }).stdout;
  }
  const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; labels: { span: { line: number } }[] }[] };
  return diagnostics.filter(({ code }) => code.includes(rule)).flatMap(({ labels }) => lines[(labels[0]?.span.line ?? 0) - 1] ?? []);
}

describe('the rule against reading sentences', () => {
  const planted = [
    "reason.startsWith('The load generator was saturated');",
    'ofErrors.test(block.reason);',
    'one.reasons.every((reason) => ofErrors.test(reason));',
    "reasons.some((one) => one.includes('died'));",
    "trial.notes.some((text) => text.toLowerCase().endsWith('warm-up'));",
    'comparison.headline.replace(cure, "");',
    '/^p\\d/.exec(limitSentence);',
    "discardReasons[0]?.split('. ');",
    "findingText(finding).includes('saturated');",
    "(told.sentence ?? '').match(/disagree/);",
    'said.includes(headline);',
    'notes.includes(note);',
    "failure.message.includes('port');",
    "limit.cure.replace('Run', 'Leave');",
    "noteText(note).startsWith('Topology');",
    '/size of its pool/.test(diagnosis.explanation);',
  ];

  it('finds each way of doing it', () => {
    expect(found('no-read-sentence', planted)).toEqual(planted);
  });

  it('lets words be made, and codes and names be asked for', () => {
    const allowed = [
      'reasons.some(({ code }) => code === "nothing-answered");',
      'kinds.includes(reason.code);',
      'const text = `${headline} ${reasons.map(findingText).join(" ")}`;',
      'name.startsWith("pool");',
      'notes.push(sentence);',
      'message.slice(0, 300);',
      "said.includes('does not support SSL');",
    ];
    expect(found('no-read-sentence', allowed)).toEqual([]);
  });
});

describe('the rule for plain comments', () => {
  const planted = [
    '// The cache is read anew.',
    '/** How a value is brought about. */',
    '// The client is told of the end.',
    '// Threads are told apart by their number.',
    '// Null where the platform does not tell.',
    '// The header tells which format it is.',
    '/* Ends by itself. */',
    '// What stands before the name.',
    '// The app stood still.',
    '// A blank is taken for the end.',
    '// A further one is skipped.',
    '// Further rounds decide.',
    '// A file of ours.',
    '/** What lies beside the jar. */',
    '// The user as whom it runs.',
    '// Sorted, so that it be found.',
  ];

  it('finds each phrase, also one that a line end divides', () => {
    const divided = ['/**', ' * The value is brought', ' * about.', ' */'];
    expect(new Set(found('plain-comments', [...planted, ...divided]))).toEqual(new Set([...planted, ' * The value is brought']));
  });

  it('lets ordinary English, names in backticks and code pass', () => {
    const allowed = [
      '// The time taken by a request; `*` stands for any name, and nothing stands in the way.',
      '// The caller decides; to tell a person is the task of the page.',
      '/** `beside` are more points; see {@link Told.anew}. */',
      '// Besides, no further action is needed.',
      "const beside = 'told anew by itself';",
    ];
    expect(found('plain-comments', allowed)).toEqual([]);
  });
});
