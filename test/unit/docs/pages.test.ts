import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = [...documents, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const guide = documents.filter((page) => page.startsWith('docs/guide/'));
const textOf = (page: string): string => readFileSync(page, 'utf8');
/** Without what is shown as code. */
const proseOf = (page: string): string =>
  textOf(page)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a page as GitHub makes them of its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = textOf(page).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

function brokenLinks(page: string): string[] {
  return Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? page : path.join(path.dirname(page), file);
    return !existsSync(place) || (anchor !== undefined && !anchorsOf(place).has(anchor));
  });
}

describe('the documents', () => {
  it('link to pages, pictures and headings that are there', () => {
    expect(Object.fromEntries(pages.map((page) => [page, brokenLinks(page)]).filter(([, broken]) => broken?.length !== 0))).toEqual({});
  });
});

describe('the guide', () => {
  it('has a page for each task, all of which its first page lists', () => {
    const listed = Array.from(textOf('docs/guide.md').matchAll(/\]\((guide\/[^)#]+)\)/g), ([, page = '']) => `docs/${page}`);
    expect(listed.toSorted()).toEqual(guide.toSorted());
  });
});

/** Bench pages, decision records and the list of changes are reports of their time. */
const written = new Set(['CHANGELOG.md', ...['coverage', 'field', 'profiles', 'reliability', 'truth'].map((name) => `docs/${name}.md`)]);

describe('the prose of the guide and of the other hand-written pages', () => {
  const prose = pages.filter((page) => !written.has(page) && !page.startsWith('docs/decisions/'));

  it('has no paragraph of more than five lines', () => {
    const long = prose.flatMap((page) =>
      proseOf(page)
        .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
        .filter((block) => !/^\s*[|#<]/.test(block) && block.trim().split('\n').length > 5)
        .map((block) => `${page}: ${block.trim().slice(0, 60)}`),
    );
    expect(long).toEqual([]);
  });
});
