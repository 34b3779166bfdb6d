import { expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { shownName, withPlacesInNames } from '../../../src/engine/versions/unnamedFunctions.ts';
import type { CodeChange } from '../../../src/engine/versions/touchedFunctions.ts';

const source = [
  'function format(row) {',
  '  return Array.from({ length: 3 }, (_, n) => ({ ...row, n }));',
  '}',
  "app.get('/items/:id', auth, async (request, response) => {",
  '  const rows = await itemsOf(request.params.id);',
  '  if (rows.length > 0) {',
  '    rows.forEach(row => row.seen());',
  '  }',
  '});',
  'http',
  '  .createServer(function (request, response) {',
  '    response.end();',
  '  });',
  'class Shop {',
  '  async open(id: string): Promise<void> {',
  '    await new Promise((resolve) => setTimeout(resolve, 20));',
  '    return () => this.close(id);',
  '  }',
  '}',
  'router.post(',
  "  '/orders',",
  '  async (request) => save(request),',
  ');',
  `const minified = [${'(a) => b(c(a)),'.repeat(40)}];`,
];

/** Line 1 of head is new. */
const code: CodeChange = {
  files: [
    { path: 'server.ts', basePath: 'server.ts', hunks: [{ baseStart: 0, headStart: 1, gone: [], added: ['function format(row) {'] }] },
  ],
  relative: (file) => (file.startsWith('/shop/') ? file.slice('/shop/'.length) : null),
  sourceOf: () => null,
  linesOf: (path) => (path === 'server.ts' ? source : null),
};

function namesOf(side: 'base' | 'head', ...places: [file: string, line: number, name?: string][]): string[] {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
  for (const [file, line, name = '(anonymous)'] of places) builder.func(name, file, line, 'app');
  return withPlacesInNames(builder.build(), side, code).functions.name.slice(-places.length);
}

it('a function without a name is called by the call that it is handed to, and by what is around it', () => {
  const at = (...lines: number[]): string[] =>
    namesOf('head', ...lines.map((line): [string, number] => ['/shop/server.ts', line])).map(shownName);
  expect(at(2, 4, 7, 11, 16, 17, 22, 24)).toEqual([
    'callback of Array.from in format',
    "callback of app.get('/items/:id')",
    "callback of rows.forEach in app.get('/items/:id')",
    'callback of createServer',
    'callback of new Promise in open',
    'anonymous function in open',
    "callback of router.post('/orders')",
    'anonymous function',
  ]);
});

it('it is known of both versions by the line where it stands in the newer one, of other code by its file; names that there are stay', () => {
  expect(namesOf('head', ['/shop/server.ts', 4])).toEqual(namesOf('base', ['/shop/server.ts', 3]));
  expect(namesOf('head', ['/shop/server.ts', 4], ['/elsewhere/stream.js', 7], ['/shop/server.ts', 1, 'format'])).toEqual([
    "callback of app.get('/items/:id') line 4",
    'anonymous function of stream.js:7',
    'format',
  ]);
  expect(['callback of a.b line 4', 'frontline 4', 'anonymous function of stream.js:7'].map(shownName)).toEqual([
    'callback of a.b',
    'frontline 4',
    'anonymous function of stream.js:7',
  ]);
});
