import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Question, type SampleName, labNames, samplesDir } from '../support/samples.ts';
import { Twins, refusal } from '../support/twins.ts';
import { slowHalf } from '../support/testTags.ts';

// The contract of the lab’s search and static files: what each must answer, and that both programs answer the same.

const twins = new Twins(labNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

describe('the search', () => {
  it('finds what the regular expression says, in a text that is the same everywhere', slowHalf, async () => {
    const text = searchedText();
    expect(text).toHaveLength(4_194_304);
    for (const word of ['lantern', 'quiet', 'ing', 'a', 'unheardof']) {
      const matches = [...text.matchAll(new RegExp(`\\b${word}[a-z]*[ ]+[a-z]+ing\\b`, 'g'))];
      const answer = await both(`/search?word=${word}`);
      expect(answer.text).toBe(JSON.stringify({ word, matches: matches.length, first: matches[0]?.index ?? -1 }));
    }
    expect((await both('/search')).text).toBe((await both('/search?word=lantern')).text);
    expect((await both('/search?word=')).text).toBe((await both('/search?word=lantern')).text);
    expect(JSON.parse((await both('/search')).text)).toMatchObject({ word: 'lantern', matches: expect.any(Number) as unknown });
  });

  it.each(['Lantern', 'a1', 'a.b', '%61', 'abcdefghijklmnopqrstu', 'lantern%20x', '(a'])('refuses the word %s', async (word) => {
    expect(refusal(await both(`/search?word=${word}`))).toEqual([400, 'word must be 1 to 20 letters from a to z']);
  });

  it.each([
    ['lab-node', 'worker'],
    ['lab-node', 'process'],
    ['lab-java', 'worker'],
  ] as [SampleName, string][])('answers the same when it runs apart: %s, %s', async (name, place) => {
    const apart = await stack.app(name, { SEARCH_IN: place, SEARCH_WORKERS: '2' });
    const answers = await Promise.all(['lantern', 'river', 'lantern', 'quiet', 'word'].map((word) => apart.ask(`/search?word=${word}`)));
    for (const [i, word] of ['lantern', 'river', 'lantern', 'quiet', 'word'].entries()) {
      expect(answers[i]?.text).toBe((await twins.first.ask(`/search?word=${word}`)).text);
    }
    await apart.stop();
    expect(apart.child.running).toBe(false);
  });
});

/** The text that is searched, made here a second time. */
function searchedText(): string {
  const words = readFileSync(path.join(samplesDir, 'lab/database/words.txt'), 'utf8').trim().split('\n');
  expect(words).toHaveLength(64);
  let x = 20_260_101;
  let text = '';
  for (let i = 1; text.length < 4_194_304; i += 1) {
    // Each word takes the next number, the first one the number after the seed.
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${words[(x >>> 16) % 64] ?? ''}${i % 12 === 0 ? '\n' : ' '}`;
  }
  return text.slice(0, 4_194_304);
}

describe('static files', () => {
  it.each([
    ['photo.jpg', 'image/jpeg'],
    ['assets/01.js', 'text/javascript; charset=utf-8'],
    ['assets/24.js', 'text/javascript; charset=utf-8'],
    ['assets/04.css', 'text/css; charset=utf-8'],
    ['assets/12.svg', 'image/svg+xml'],
    ['bundle.js', 'text/javascript; charset=utf-8'],
    ['bundle.css', 'text/css; charset=utf-8'],
  ])('are served as they are: %s', async (name, contentType) => {
    const answers = await Promise.all(labNames.map((sample) => twins.app(sample).ask(`/static/${name}`)));
    const content = readFileSync(path.join(samplesDir, 'lab/static', name));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': contentType,
        'content-length': String(content.length),
        'cache-control': 'no-store',
      });
      expect(answer.body.equals(content)).toBe(true);
    }
  });

  it('hold a photo of 3,200,000 bytes', async () => {
    expect((await twins.first.ask('/static/photo.jpg')).body).toHaveLength(3_200_000);
  });

  it.each(['none.js', 'assets/99.js', 'assets', 'assets/', '', 'generate.mjs', '.gitignore', 'page.html', 'bundle', 'bundle.js/'])(
    'are not made up: %s',
    async (name) => {
      expect(refusal(await both(`/static/${name}`))).toEqual([404, 'not found']);
    },
  );

  it.each([
    '../database/001_schema.sql',
    '../static/bundle.js',
    '%2e%2e/database/words.txt',
    '..%2fbundle.js',
    'assets/../bundle.js',
    'assets%2f01.js',
    'bundle.js%00',
    '%00',
    '//bundle.js',
    '/etc/passwd',
    'assets\\01.js',
    '..\\static\\bundle.js',
  ])('are all there is: %s', async (name) => {
    for (const sample of labNames) expect([400, 404]).toContain((await twins.app(sample).ask(`/static/${name}`)).status);
  });

  it('make a page of forty assets, or of two bundles', async () => {
    const page = await both('/page');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toBe(readFileSync(path.join(samplesDir, 'lab/static/page.html'), 'utf8'));
    const named = [...page.text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(new Set(named).size).toBe(40);
    const statuses = await Promise.all(named.map(async (target) => (await twins.second.ask(target)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const bundled = await both('/page?bundle=1');
    expect(bundled.text).toBe(readFileSync(path.join(samplesDir, 'lab/static/page-bundle.html'), 'utf8'));
    expect([...bundled.text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => match[1])).toEqual([
      '/static/bundle.css',
      '/static/bundle.js',
    ]);
    expect((await both('/page?bundle=0')).text).toBe(page.text);
    expect(refusal(await both('/page?bundle=2'))).toEqual([400, 'bundle must be a whole number from 0 to 1']);
  });
});
