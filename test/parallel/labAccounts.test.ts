import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Question, type SampleApp, labNames } from '../support/samples.ts';
import { Twins, comparable, json, refusal } from '../support/twins.ts';

// The contract of the lab’s accounts and uploads; ids, times and tokens are masked before answers are compared.

const twins = new Twins(labNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

describe('accounts', () => {
  const cookieOf = (answer: Answer): string => /^session=[0-9a-f]{32}/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
  const password = 'correct horse Ünïcode';

  it('are opened, used and left, and hold uploads, and both samples know the same accounts', async () => {
    await twins
      .each(async (sample) => {
        await stack.applyPrepare();
        const other = sample === twins.first ? twins.second : twins.first;
        const answers: Answer[] = [];
        const ask = async (asked: SampleApp, target: string, question: Question = {}): Promise<Answer> => {
          const answer = await asked.ask(target, question);
          answers.push(answer);
          return answer;
        };
        const opened = await ask(sample, '/accounts', json({ name: 'band-1', password }));
        await ask(other, '/accounts', json({ name: 'band-1', password: 'another one' }));
        const entered = await ask(other, '/session', json({ name: 'band-1', password }));
        await ask(sample, '/session', json({ name: 'band-1', password: 'not this one' }));
        await ask(sample, '/session', json({ name: 'nobody', password }));
        const cookie = cookieOf(opened);
        expect(cookieOf(entered)).not.toBe(cookie);
        expect((await ask(other, '/account', { headers: { Cookie: cookie } })).text).toBe('{"id":1,"name":"band-1","uploads":0}');
        const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251));
        const uploaded = await ask(sample, '/uploads', {
          ...form('file', 'Größe 1.png', bytes),
          ...withCookie(form('file', 'x', bytes), cookie),
        });
        expect(uploaded.status).toBe(201);
        expect((await ask(sample, '/account', { headers: { Cookie: `a=b; ${cookieOf(entered)}` } })).text).toContain('"uploads":1');
        await ask(sample, '/session', { method: 'DELETE', headers: { Cookie: cookie } });
        await ask(other, '/account', { headers: { Cookie: cookie } });
        await ask(other, '/account', { headers: { Cookie: cookieOf(entered) } });
        return answers.map(comparable);
      })
      .then((answers) => {
        expect(answers.map((answer) => answer['status'])).toEqual([201, 409, 200, 401, 401, 200, 201, 200, 204, 401, 200]);
        expect(answers[0]).toMatchObject({ body: '{"id":1,"name":"band-1"}', cookie: ['session=0; Path=/; HttpOnly; SameSite=Lax'] });
        expect(answers[1]?.['body']).toBe('{"error":"the name is taken"}');
        expect(answers[3]?.['body']).toBe('{"error":"name or password is wrong"}');
        expect(answers[9]?.['body']).toBe('{"error":"not logged in"}');
      });
  });

  it.each<[string, unknown, string]>([
    ['a short name', { name: 'ab', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['capitals', { name: 'Band', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['no name', { password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['a line break after the name', { name: 'band\n', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['a short password', { name: 'band', password: '1234567' }, 'password must be a text of 8 to 200 characters'],
    ['a number for a password', { name: 'band', password: 12_345_678 }, 'password must be a text of 8 to 200 characters'],
  ])('are refused with %s', async (_what, body, error) => {
    expect(refusal(await both('/accounts', json(body)))).toEqual([400, error]);
    expect(refusal(await both('/session', json(body)))).toEqual([400, error]);
  });

  it('are for those who are logged in', async () => {
    for (const headers of [{}, { Cookie: 'session=1' }, { Cookie: `session=${'0'.repeat(32)}` }, { Cookie: 'session' }] as Record<
      string,
      string
    >[]) {
      expect(refusal(await both('/account', { headers }))).toEqual([401, 'not logged in']);
      const upload = form('file', 'a.txt', Buffer.from('a'));
      expect(refusal(await both('/uploads', { ...upload, headers: { ...upload.headers, ...headers } }))).toEqual([401, 'not logged in']);
    }
    expect(await both('/session', { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect((await both('/session')).headers['allow']).toBe('POST, DELETE');
    expect((await both('/account', { method: 'POST' })).headers['allow']).toBe('GET');
    expect((await both('/accounts')).headers['allow']).toBe('POST');
    expect((await both('/uploads')).headers['allow']).toBe('POST');
  });

  it('take files of up to 1 MiB, hashed, and refuse what is none', async () => {
    await stack.applyPrepare();
    const opened = await twins.first.ask('/accounts', json({ name: 'uploader', password }));
    const cookie = cookieOf(opened);
    const upload = (question: Question): Promise<Answer[]> =>
      Promise.all(labNames.map((name) => twins.app(name).ask('/uploads', withCookie(question, cookie))));
    const bytes = Buffer.alloc(1_048_576, 'a');
    for (const answer of await upload(form('file', 'largest.bin', bytes))) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(answer.status).toBe(201);
      expect(answer.text.replace(/"id":\d+/, '"id":0')).toBe(JSON.stringify({ id: 0, name: 'largest.bin', bytes: 1_048_576, sha256 }));
    }
    for (const answer of await upload(form('file', 'some/folder/name.txt', Buffer.alloc(0)))) {
      expect(JSON.parse(answer.text)).toMatchObject({ name: 'name.txt', bytes: 0 });
    }
    const refusals: [Question, [number, string]][] = [
      [form('file', 'larger.bin', Buffer.alloc(1_048_577)), [413, 'the file must not be larger than 1048576 bytes']],
      [form('other', 'a.txt', Buffer.from('a')), [400, 'the form has no file in the field file']],
      [form('file', 'x'.repeat(201), Buffer.from('a')), [400, 'the name of the file must have 1 to 200 characters']],
      [json({ file: 'a' }), [400, 'the body must be multipart/form-data']],
      [{ method: 'POST', body: 'a', headers: { 'Content-Type': 'multipart/form-data' } }, [400, 'the body must be multipart/form-data']],
      [
        { method: 'POST', body: 'no boundary in it', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
        [400, 'the form cannot be read'],
      ],
    ];
    for (const [question, expected] of refusals) {
      const answers = await upload(question);
      expect(answers.map(refusal)).toEqual([expected, expected]);
    }
    expect((await both('/hello')).status).toBe(200);
  });

  function withCookie(question: Question, cookie: string): Question {
    return { ...question, headers: { ...question.headers, Cookie: cookie } };
  }

  /** A form with one text field and one file, as browsers send it. */
  function form(field: string, fileName: string, bytes: Buffer): Question {
    const boundary = '----benchside7Ma4YWxkTrZu0gW';
    const body = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n`),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    return { method: 'POST', body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
  }
});
