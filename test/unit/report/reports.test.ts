import { recorded } from '../../support/recorded.ts';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RunRecord, noErrors } from '../../../src/model/domain/run.ts';
import { escapeHtml, jsonForScript, scriptText, styleText } from '../../../src/engine/report/html.ts';
import { htmlReport } from '../../../src/engine/report/htmlReport.ts';
import { escaped } from '../../../src/engine/report/markdown.ts';
import { markdownReport } from '../../../src/engine/report/markdownReport.ts';
import { exampleRecommendation, exampleRun, exampleTrial } from '../../support/runRecords.ts';

const attack = '</script><img src=x onerror=alert(1)>"\'`--><style>*{}</style>';

/** Every name and text in a record that others can choose, made hostile. */
function hostileRun(text: string): RunRecord {
  const trial = exampleTrial({ settings: { [`pool${text}`]: text }, valid: false, reasons: [text] });
  const bad = {
    ...trial,
    target: text,
    targetLabel: text,
    key: text,
    notes: recorded(text),
    errors: { ...noErrors, total: 1, timeout: 1 },
  };
  const good = { ...exampleTrial({ settings: { [`pool${text}`]: `2${text}` } }), targetLabel: text };
  const base = exampleRun();
  return {
    ...base,
    title: text,
    failure: { code: 'internal', message: text, cure: text, detail: text },
    reasons: recorded(text),
    notes: recorded(text),
    request: { ...base.request, targets: [text], settings: { [text]: [text] }, route: text, load: text },
    routes: { [text]: [text] },
    environment: {
      ...base.environment,
      cpuModel: text,
      kernel: text,
      platform: text,
      postgresSettings: { [text]: text },
      virtualised: text,
    },
    plan: { ...base.plan, modeReasons: recorded(text), order: [[text]], commands: { [text]: { argv: [text], cwd: text, env: [text] } } },
    trials: [bad, good],
    recommendations: [
      exampleRecommendation({
        target: text,
        targetLabel: text,
        facts: { code: 'recorded', sentence: text },
        why: recorded(text),
        settingLabel: text,
        plausible: [text, text],
        evidence: [
          { kind: 'figures', says: 'for', code: 'recorded', sentence: text },
          { kind: 'mechanism', says: 'against', code: 'recorded', sentence: text },
        ],
        trialKey: text,
      }),
    ],
    files: [{ name: text, bytes: 1, sha256: text }],
  };
}

/** Start tags in HTML as a browser reads it: script and style contents are text up to their end tags. */
function startTags(html: string): string[] {
  const tags: string[] = [];
  let rest = html;
  for (let match = /<([a-z][a-z0-9]*)/i.exec(rest); match !== null; match = /<([a-z][a-z0-9]*)/i.exec(rest)) {
    const name = (match[1] ?? '').toLowerCase();
    tags.push(name);
    rest = rest.slice(match.index + match[0].length);
    if (name === 'script' || name === 'style') {
      const end = rest.search(new RegExp(`</${name}`, 'i'));
      rest = rest.slice(end);
    }
  }
  return tags;
}

const script = 'const tag = "</script><!--"; document.querySelector("#charts").textContent = tag;\r\n';
const assets = { script, styles: '.chart { color: red }\r\n' };

describe('the HTML report', () => {
  it('shows hostile names as text only', () => {
    const allowed = new Set(startTags(htmlReport(exampleRun(), assets)));
    for (const page of [
      htmlReport(hostileRun(attack), assets),
      htmlReport(hostileRun(attack)),
      htmlReport({ ...hostileRun(attack), recommendations: [] }, assets),
    ]) {
      expect(page.toLowerCase()).not.toContain('<img');
      expect(startTags(page).filter((tag) => !allowed.has(tag) && !['ul', 'li', 'b'].includes(tag))).toEqual([]);
      expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(startTags(page).filter((tag) => tag === 'style')).toHaveLength(1);
    }
  });

  it('has the same elements whatever the names are', () => {
    const tags = (text: string): string[] => startTags(htmlReport(hostileRun(text), assets));
    const plain = tags('plain').join(' ');
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', '"', "'", '&', '/', 'script', 'img', '!--', '--', ' ', '=', 'x', '\u2028', '\u0000', ']]>'),
          minLength: 1,
        }),
        (text) => {
          expect(tags(text).join(' ')).toBe(plain);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lets nothing run or load but its own script and styles', () => {
    const page = htmlReport(exampleRun(), assets);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
    expect(scripts).toHaveLength(1);
    expect(styles).toHaveLength(1);
    const nonce = /<meta property="csp-nonce" content="([^"]+)">/.exec(page)?.[1] ?? '?';
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(scripts[0] ?? '')}; style-src ${hash(styles[0] ?? '')} 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page).not.toContain('\r');
    expect(page).not.toMatch(/\s(?:src|href|style|on[a-z]+)\s*=/);
    expect(page.match(/https?:\/\//g)).toBeNull();
  });

  it('carries the record as data that reads back the same', () => {
    for (const run of [exampleRun(), hostileRun(attack)]) {
      const json = /<script type="application\/json" id="run-record">([\s\S]*?)<\/script>/.exec(htmlReport(run, assets))?.[1] ?? '';
      expect(json).not.toContain('<');
      expect(JSON.parse(json)).toEqual(run);
    }
  });

  it('is whole without charts', () => {
    const page = htmlReport(exampleRun());
    expect(page).not.toContain('<script');
    expect(page).toContain('script-src &#39;none&#39;');
    for (const text of [
      'Use pool size 8',
      'Proven.',
      '7,885',
      '7,727 – 8,043',
      'Example CPU',
      'benchside run --target java --target node --set pool=2,4,8,16',
    ])
      expect(page).toContain(text);
  });

  it('is the same for the same run', () => {
    expect(htmlReport(exampleRun(), assets)).toBe(htmlReport(exampleRun(), assets));
  });

  it('shows why a trial does not count, and marks its row', () => {
    const run = exampleRun();
    run.trials[0] = exampleTrial({ settings: { pool: 2 }, valid: false, reasons: ['The load generator was saturated.'] });
    const page = htmlReport(run);
    expect(page).toContain('<b>Java · pool 2:</b> The load generator was saturated.');
    expect(page).toMatch(/<tr class="invalid hue-0">/);
  });

  it('says what happened when nothing was measured', () => {
    const none = { trials: [], recommendations: [], valid: false } as const;
    expect(htmlReport(exampleRun({ ...none, trials: [], recommendations: [], state: 'cancelled' }))).toContain(
      'Cancelled before anything was measured',
    );
    const failed = htmlReport(
      exampleRun({
        trials: [],
        recommendations: [],
        valid: false,
        state: 'failed',
        failure: { code: 'internal', message: 'PostgreSQL ended.', cure: 'Look at its log.' },
      }),
    );
    expect(failed).toContain('PostgreSQL ended. Look at its log.');
    const invalid = exampleRun({ trials: [exampleTrial({ valid: false, reasons: ['errors'] })], recommendations: [], valid: false });
    expect(htmlReport(invalid)).toContain('Something else was measured');
  });

  it('leads with the best figure where there is nothing to recommend', () => {
    const page = htmlReport(exampleRun({ trials: [exampleTrial({ throughput: 1_234 })], recommendations: [] }));
    expect(page).toContain('1,234 requests/s');
  });
});

describe('texts in HTML', () => {
  it('escape what ends an element or attribute', () => {
    expect(escapeHtml(`<a b="c" d='e'>&\u0000\u0007`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });

  it('keep a script the same program and unable to end its element', () => {
    const source = 'const a = "</script>", b = /<!--x/, c = `<script>`; if (1 < 2 && a<b) {}';
    const text = scriptText(source);
    expect(text).not.toMatch(/<\/?script|<!--/i);
    const values = (code: string): unknown => new Function(`${code}; return [a, b.test("<!--x"), c];`)();
    expect(values(text)).toEqual(values(source));
  });

  it('keep a style unable to end its element', () => {
    expect(styleText('a::after { content: "</style><img>" }')).not.toContain('</style');
  });

  it('keep JSON the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = jsonForScript(value);
        expect(json).not.toMatch(/[<>\u2028\u2029]/);
        expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('the Markdown report', () => {
  it('has answers, figures and how to repeat it', () => {
    const text = markdownReport(exampleRun());
    expect(text).toContain('**Java: Use pool size 8.** Proven.');
    expect(text).toContain('| Java | 4 | 4,172 | 4,089 – 4,255 | 50 % | 6.65 | 17.5 | 33.3 |');
    expect(text).toContain('```sh\nbenchside run --target java');
    const widths = new Set(text.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.match(/(?<!\\)\|/g)?.length] : [])));
    expect(widths.size).toBe(2);
  });

  it('shows hostile names as text only', () => {
    const text = markdownReport(hostileRun(`${attack}\n# heading | cell @team #12 [a](javascript:x) https://example.org`));
    const outside = text.replace(/```sh[\s\S]*?```/g, '');
    expect(outside).not.toMatch(/(?<!\\)<(?!\/?(?:details|summary)>)/);
    expect(outside).not.toMatch(/@team|#12|(?<!\\)\]\(|https:\/\//);
    expect(outside).not.toMatch(/^# heading/m);
    const tables = outside.split('\n').filter((line) => line.startsWith('| '));
    for (const line of tables.slice(0, 3)) expect(line.match(/(?<!\\)\|/g)?.length).toBe(tables[0]?.match(/(?<!\\)\|/g)?.length);
  });

  it('escapes markup and keeps figures as they are', () => {
    expect(escaped('3.73')).toBe('3.73');
    expect(escaped('1. first')).toBe('1\\. first');
    expect(escaped('- item')).toBe('\\- item');
    expect(escaped('a|b_c*d`e`\n<f>')).toBe('a\\|b\\_c\\*d\\`e\\` \\<f\\>');
  });

  it('fences a command that holds backticks', () => {
    const run = exampleRun();
    const text = markdownReport({ ...run, request: { ...run.request, route: '/a```b' } });
    expect(text).toContain('````sh\n');
  });
});
