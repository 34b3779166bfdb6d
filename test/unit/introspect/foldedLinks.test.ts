import { describe, expect, it } from 'vitest';
import { foldedLinks } from '../../../src/engine/introspect/foldedLinks.ts';

const [first, second] = ['0b8f7c1e-2f5a-4b69-9d3b-5a1f6f0c7e11', '6E0A4C52-8c1d-4a57-b1f0-0d9f7c3b2a99'];

describe('links of one page', () => {
  it('are one path with a parameter where they differ in one number or UUID', () => {
    expect(foldedLinks(['/', '/books/7', '/about', '/books/3', '/books/12', '/books/7'])).toEqual([
      { path: '/', parameters: {} },
      { path: '/books/:id', parameters: { id: { min: 3, max: 12 } } },
      { path: '/about', parameters: {} },
    ]);
    expect(foldedLinks([`/carts/${first}/items`, `/carts/${second}/items`])).toEqual([
      { path: '/carts/:id/items', parameters: { id: { values: [first, second] } } },
    ]);
  });

  it('are one path by that part in which most of them differ', () => {
    expect(foldedLinks(['/users/1/posts/5', '/users/1/posts/6', '/users/1/posts/7', '/users/2/posts/7'])).toEqual([
      { path: '/users/1/posts/:id', parameters: { id: { min: 5, max: 7 } } },
      { path: '/users/2/posts/7', parameters: {} },
    ]);
  });

  it('stay as they are where there is one of its shape, or they differ in a word', () => {
    const links = ['/books/1', '/news/2026/all', '/a/x', '/a/y', `/carts/${first}`, '/carts/3', '/codes/01', '/codes/02'];
    expect(foldedLinks(links)).toEqual(links.map((path) => ({ path, parameters: {} })));
  });
});
