import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Question, sampleNames } from '../support/samples.ts';
import { Twins } from '../support/twins.ts';

// The contract of POST /ads: what is taken, what is refused, and that both samples do alike.

const twins = new Twins(sampleNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

const newAd = { title: 'A bicycle', description: 'Two wheels.', categoryId: 1, sellerId: 2, priceCents: 12_300 };
const post = (body: unknown): Promise<Answer> =>
  both('/ads', { method: 'POST', body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) });

describe('POST /ads', () => {
  it('inserts the advertisement and gives it back', async () => {
    const answer = await post(newAd);
    expect(answer.status).toBe(201);
    const created = JSON.parse(answer.text) as { id: number };
    expect(created).toMatchObject(newAd);
    expect(created.id).toBeGreaterThan(100_000);
    expect(answer.headers['location']).toBe(`/ads/${created.id}`);
    expect((await both(`/ads/${created.id}`)).text).toBe(answer.text);
  });

  it('keeps every character that can be stored, and writes it back in the same bytes', async () => {
    const controls = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('');
    const title = `„Größe" \\ / 'x' 日本 🚲 \u007f \u2028`;
    const answer = await post({ ...newAd, title, description: `${controls}"\\ \ufffd \ufeff é e\u0301 🇺🇳` });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject({ title, description: `${controls}"\\ \ufffd \ufeff é e\u0301 🇺🇳` });
    expect(answer.text).toBe(JSON.stringify(JSON.parse(answer.text)));
  });

  it('takes JSON in any form that means the same', async () => {
    expect(
      (
        await post(
          '\n{ "priceCents" : 1.230e4, "title":"\\ud83d\\udeb2", "description":"", "sellerId":2.0, "categoryId":1, "extra":[{"a":null}], "title":"last" }\t',
        )
      ).text,
    ).toContain('"title":"last","description":"","categoryId":1,"sellerId":2,"priceCents":12300');
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect((await post(JSON.stringify(newAd).replace('{', `{"deep":${nested},"long":${'9'.repeat(5_000)},`))).status).toBe(201);
    expect((await post({ ...newAd, title: 'x'.repeat(200), description: 'y'.repeat(10_000), priceCents: 0 })).status).toBe(201);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['no JSON', 'title=A'],
    ['half of a JSON text', '{"title":"A"'],
    ['two JSON texts', `${JSON.stringify(newAd)}{}`],
    ['a trailing comma', '{"title":"A",}'],
    ['a comment', '{/* */}'],
    ['a raw line break in a text', '{"title":"a\nb"}'],
    ['single quotes', "{'title':'A'}"],
    ['a leading zero', '{"priceCents":01}'],
    ['NaN', '{"priceCents":NaN}'],
    ['a byte order mark', `\ufeff${JSON.stringify(newAd)}`],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])],
    ['a list', [newAd]],
    ['null', 'null'],
    ['a text', '"A"'],
    ['an empty object', {}],
    ['an empty title', { ...newAd, title: '' }],
    ['a title that is too long', { ...newAd, title: 'x'.repeat(201) }],
    ['a title that is a number', { ...newAd, title: 1 }],
    ['a NUL in the title', { ...newAd, title: 'a\0b' }],
    ['half of a surrogate pair', JSON.stringify({ ...newAd, title: '@' }).replace('@', '\\ud83d')],
    ['a description that is too long', { ...newAd, description: 'x'.repeat(10_001) }],
    ['no description', { ...newAd, description: undefined }],
    ['a price with a fraction', { ...newAd, priceCents: 1.5 }],
    ['a negative price', { ...newAd, priceCents: -1 }],
    ['a price that is too high', { ...newAd, priceCents: 1_000_000_001 }],
    ['a price beyond all numbers', JSON.stringify(newAd).replace('12300', '1e999')],
    ['a price in a text', { ...newAd, priceCents: '100' }],
    ['a category that does not exist', { ...newAd, categoryId: 4711 }],
    ['a seller that does not exist', { ...newAd, sellerId: 2_000_000_000 }],
    ['an id that is too high', { ...newAd, sellerId: 2_147_483_648 }],
  ])('refuses %s', async (_what, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) as unknown });
  });

  it('refuses a body of more than 64 KiB, whether its length is announced or not, and goes on on the same connection', async () => {
    const large = JSON.stringify({ ...newAd, extra: 'x'.repeat(64 * 1024) });
    expect((await post(large)).status).toBe(413);
    expect((await both('/ads', { method: 'POST', body: large, headers: { 'Transfer-Encoding': 'chunked' } })).status).toBe(413);
    const fits = JSON.stringify({ ...newAd, extra: '' });
    expect((await post(fits.replace('"extra":""', `"extra":"${'x'.repeat(64 * 1024 - Buffer.byteLength(fits))}"`))).status).toBe(201);
    expect((await both('/hello')).status).toBe(200);
  });

  it('leaves nothing behind once the data was prepared for the next run, and numbers anew', async () => {
    await post(newAd);
    await stack.applyPrepare();
    expect(await stack.query('SELECT count(*)::int AS ads, max(id) AS last FROM ads')).toEqual([{ ads: 100_000, last: 100_000 }]);
    const created = JSON.parse((await twins.first.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) })).text) as { id: number };
    expect(created.id).toBe(100_001);
    await stack.applyPrepare();
  });
});
