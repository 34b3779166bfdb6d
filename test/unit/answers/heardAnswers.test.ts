import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerContent, NumberText } from '../../../src/engine/answers/answerContent.ts';
import { type HeardAnswer, differingAnswer, HeardAnswers } from '../../../src/engine/answers/heardAnswers.ts';

const atMs = Date.UTC(2026, 4, 6, 12);

function answer(body: string | Buffer, more: Partial<HeardAnswer> = {}): HeardAnswer {
  return {
    route: 'GET /',
    path: '/',
    sent: '',
    status: 200,
    headers: { 'content-type': typeof body === 'string' && body.startsWith('{') ? 'application/json' : 'text/plain' },
    bytes: Buffer.from(body),
    cut: false,
    atMs,
    port: 4100,
    ignored: [],
    ...more,
  };
}

/** The place of the first difference between the answers of two sides; null: they answer the same. */
const place = (before: HeardAnswer[], after: HeardAnswer[]): string | null => differingAnswer(before, after)?.first?.place ?? null;
const bodies = (...all: string[]): HeardAnswer[] => all.map((body) => answer(body));

describe('answers of two sides', () => {
  it.each([
    ['a value', '{"a":{"b":1}}', '{"a":{"b":2}}', '$.a.b'],
    ['how a number is written', '{"price":12.50}', '{"price":12.5}', '$.price'],
    ['a number beyond those of JavaScript', '{"id":9007199254740993}', '{"id":9007199254740992}', '$.id'],
    ['a number that became a text', '{"n":12}', '{"n":"12"}', '$.n'],
    ['a name that is missing', '{"a":1,"b":null}', '{"a":1}', '$.b'],
    ['the order of a list', '{"l":[1,2,3]}', '{"l":[1,3,2]}', '$.l[1]'],
    ['an element that is missing', '{"l":[1,2,3]}', '{"l":[1,2]}', '$.l'],
    ['a word of a text', 'all is well\nhere', 'all is well\nthere', 'line 2'],
    ['a line that is missing', 'a\nb\n', 'a\n', 'number of lines'],
    ['JSON that became text', '{"a":1}', 'a=1', 'content-type'],
  ])('differ in %s', (_what, before, after, where) => {
    expect(place(bodies(before, before), bodies(after, after))).toBe(where);
  });

  it.each([
    ['order of keys and blanks', ['{"a":1,"b":[2]}'], ['{ "b": [ 2 ], "a": 1 }']],
    ['what one side answers otherwise itself', ['{"id":17,"a":1}', '{"id":18,"a":1}'], ['{"id":19,"a":1}', '{"id":20,"a":1}']],
    ['times around the asking', ['{"at":"2026-05-06T12:00:01Z","ms":1778068800000}'], ['{"at":"2026-05-06T12:00:04Z","ms":1778068804000}']],
    ['the last digits of a double', ['{"sum":1234.5600000000002}'], ['{"sum":1234.56}']],
    ['a list whose order is never the same', ['{"l":[1,2,3]}', '{"l":[3,1,2]}'], ['{"l":[2,1,3]}', '{"l":[1,2,3]}']],
    ['an id of each process', ['{"id":"25-4235"}', '{"id":"b0-4a28"}'], ['{"id":"e0-4c28_"}', '{"id":"e0-4c28_"}']],
    ['a list that grows', ['{"l":[1]}', '{"l":[1,2]}'], ['{"l":[1,2,3]}', '{"l":[1,2,3,4]}']],
    ['a token in a page', ['<input value="a1">', '<input value="b7">'], ['<input value="c9">', '<input value="d2">']],
    ['their own address', ['see http://localhost:4100/x'], ['see http://localhost:4100/x']],
  ])('count as the same with %s', (_what, before, after) => {
    expect(differingAnswer(bodies(...before), bodies(...after))).toBeNull();
  });

  it('differ in how a value is written that is never the same', () => {
    expect(place(bodies('{"at":1,"id":1}', '{"at":2,"id":2}'), bodies('{"at":3,"id":"3"}', '{"at":4,"id":"4"}'))).toBe('$.id');
    expect(place(bodies('{"at":"2026-05-06T12:00:01Z"}'), bodies('{"at":1778068801000}'))).toBe('$.at');
  });

  it('differ beside what differs by nature', () => {
    const list = (id: number, name: string): string => JSON.stringify({ id, items: [{ id, name }] });
    expect(differingAnswer(bodies(list(1, 'a'), list(2, 'a')), bodies(list(3, 'b'), list(4, 'b')))).toMatchObject({
      what: 'content',
      first: { place: '$.items[0].name', before: '"a"', after: '"b"' },
    });
  });

  it('are compared by status, by the form of the body, and by what it holds however it is packed', () => {
    expect(differingAnswer(bodies('x'), [answer('x', { status: 404 })])).toEqual({
      route: 'GET /',
      what: 'status',
      before: 200,
      after: 404,
    });
    const packed = (body: string, level: number): HeardAnswer =>
      answer(gzipSync(body, { level }), { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' } });
    const text = 'all is well '.repeat(50);
    expect(differingAnswer([packed(text, 1)], [packed(text, 9)])).toBeNull();
    expect(place([packed(text, 1)], [packed(`${text}.`, 1)])).toBe('line 1');
    expect(place([answer(text)], [packed(text, 1)])).toBe('content-encoding');
    expect(place([answer('é')], [answer(Buffer.from('é', 'latin1'))])).toBe('line 1');
    const type = { headers: { 'content-type': 'text/plain; charset=iso-8859-1' } };
    expect(place([answer('é')], [answer(Buffer.from('é', 'latin1'), type)])).toBe('content-type');
  });

  it('are compared without places that may differ, and say nothing of a secret', () => {
    const versions = (of: string): HeardAnswer[] => [answer(`{"l":[{"version":"${of}","a":1}]}`, { ignored: ['$.l[*].version'] })];
    expect(differingAnswer(versions('1'), versions('2'))).toBeNull();
    expect(differingAnswer(bodies('{"apiKey":"k1"}'), bodies('{"apiKey":"k2"}'))?.first).toEqual({
      place: '$.apiKey',
      before: '[redacted]',
      after: '[redacted]',
    });
  });
});

it('of the processes of a run are compared by route and path', () => {
  const heard = new HeardAnswers();
  heard.hear('base', [answer('{"a":1}'), answer('{"a":1}', { route: 'GET /x/:id', path: '/x/7' })]);
  heard.hear('other', [answer('{"a":2}'), answer('{"a":2}', { route: 'GET /x/:id', path: '/x/8' })]);
  expect(heard.compared('base', 'other')).toMatchObject({ asked: 1, differing: [{ route: 'GET /', what: 'content' }] });
  // What the first answers otherwise when it is asked again is its nature.
  heard.hear('base', [answer('{"a":3}')]);
  expect(heard.compared('base', 'other')).toEqual({ asked: 1, differing: [] });
  expect(heard.compared('base', 'base')).toBeUndefined();
  expect(heard.compared('base', 'unheard')).toBeUndefined();
  expect(heard.digests('base')).toMatchObject([{ path: '/', bytes: 7, whole: true }, { path: '/x/7' }]);
  expect(heard.digests('unheard')).toBeUndefined();
});

describe('a body', () => {
  it('that is JSON is read as what it says, with its numbers as they were written', () => {
    const asNumbers = (text: string): unknown =>
      JSON.parse(
        JSON.stringify(answerContent(Buffer.from(text), {}, 1).value, (_name, value: unknown) =>
          value instanceof NumberText ? Number(value.text) : value,
        ),
      );
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6 }).filter((text) => /^[[{]/.test(text)),
        (text) => {
          expect(asNumbers(text)).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
        },
      ),
    );
    expect(asNumbers(String.raw`{"a\"1":"\\","b":-1.5e+3,"c":[true,null]}`)).toEqual({ 'a"1': '\\', b: -1500, c: [true, null] });
  });

  it.each([
    ['lists within lists', (value: string, many: number) => '['.repeat(many) + value + ']'.repeat(many)],
    ['a long string', (value: string, many: number) => JSON.stringify({ text: `${'\\"'.repeat(many)}${value}` })],
    ['a long word', (value: string, many: number) => `${'x'.repeat(many)}${value}`],
  ])('of %s is compared, however many there are', (_what, make) => {
    const many = 400_000;
    const [one, other] = [bodies(make('1', many)), bodies(make('2', many))];
    expect(differingAnswer(one, one)).toBeNull();
    expect(differingAnswer(one, other)).not.toBeNull();
  });
});
