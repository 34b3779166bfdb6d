import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactArgv, redactStrings, redactText } from '../../../src/engine/files/redact.ts';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';
import { shortened } from '../../../src/model/domain/plainText.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

const canary = 'c4naryVALUE987';

describe('redactText', () => {
  it.each([
    `--password=${canary}`,
    `--password ${canary} --port 1`,
    `--db-password "${canary}"`,
    `PGPASSWORD=${canary}`,
    `POSTGRES_PASSWORD: ${canary}`,
    `spring.datasource.password=${canary}`,
    `-Djavax.net.ssl.keyStorePassword=${canary}`,
    `{"password":"${canary}"}`,
    `{'client_secret': '${canary}'}`,
    `password = "with blanks ${canary}"`,
    `Authorization: Bearer ${canary}`,
    `authorization=Basic ${canary}==`,
    `Authorization: ${canary}`,
    `{"authorization":"Bearer ${canary}"}`,
    `Cookie: session=${canary}; other=${canary}`,
    `postgres://bench:${canary}@127.0.0.1:5432/board`,
    `jdbc:postgresql://bench:${canary}@127.0.0.1/board`,
    `https://user:p@${canary}@host/`,
    `https://${canary}@host/path`,
    `jdbc:postgresql://127.0.0.1/board?user=a&password=${canary}&ssl=false`,
    `AWS_SECRET_ACCESS_KEY=${canary}`,
    `api-key: ${canary}`,
    `X-Api-Key: ${canary}`,
    `DB_PASS=${canary}`,
    `redis-pw: ${canary}`,
    `https://a.blob.core.windows.net/c?sv=2024&sig=${canary}%3D`,
    `GET /o?X-Amz-Signature=${canary}&x=1`,
    `npm_token=${canary}`,
    `ALTER ROLE app PASSWORD '${canary}'`,
    `CREATE ROLE app LOGIN ENCRYPTED PASSWORD E'${canary}' VALID UNTIL 'infinity'`,
    `CREATE USER app IDENTIFIED BY '${canary}'`,
    `jdbc:oracle:thin:app/${canary}@127.0.0.1:1521/board`,
    `AccountName=shop;AccountKey=${canary}==`,
    `key AKIA${'ABCD'.repeat(4)} used: token=${canary}`,
  ])('takes the secret out of %s', (text) => {
    const result = redactText(text);
    expect(result).not.toContain(canary);
    expect(result).toContain('[redacted]');
  });

  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'a1B2'.repeat(9)}`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    `glpat-${'a1B2'.repeat(6)}`,
    `npm_${'a1B2'.repeat(9)}`,
    `glrt-${'a1B2'.repeat(6)}`,
    `pypi-${'a1B2'.repeat(12)}`,
    `dckr_pat_${'a1B2'.repeat(7)}`,
    `shpat_${'a1b2'.repeat(8)}`,
    `ya29.${'a1B2'.repeat(9)}`,
    `sk-${'a1B2'.repeat(9)}`,
    `sk-ant-api03-${'a1B2'.repeat(9)}`,
    `hf_${'aBcD'.repeat(9)}`,
    `hvs.${'a1B2'.repeat(9)}`,
    `dop_v1_${'a1b2'.repeat(16)}`,
    `xoxb-${'1234-'.repeat(4)}abc`,
    `sk_live_${'a1B2'.repeat(6)}`,
    `AIza${'a1B2-'.repeat(7)}`,
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nabc\n-----END PRIVATE KEY-----',
  ])('knows a key by its form: %s', (key) => {
    expect(redactText(`before ${key} after`)).toBe('before [redacted] after');
  });

  it.each([
    'GET /ads/:id 100 %',
    'listening on http://127.0.0.1:8080/ads?category=2&limit=20',
    'password_encryption scram-sha-256, shared_buffers 128MB',
    'java · pool 8 · 7,940 req/s',
    'max_connections=200 work_mem=4MB',
    `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
    'Use pool size 8: within 5 % of the best (16)',
    'GET /search?signal=4&sigma=2 in disk-usage-of-the-whole-machine, a two-pass run, bypass 1',
  ])('leaves harmless text alone: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('takes a known secret out wherever it stands, also percent-encoded', () => {
    const secret = 'p/w+ä=1?';
    expect(redactText(`a ${secret} b x${secret}y ${encodeURIComponent(secret)}`, [secret])).toBe('a [redacted] b x[redacted]y [redacted]');
  });

  it('takes a short secret out where it stands alone, and a short number where something is set to it: words and figures stay', () => {
    const secrets = ['pass1', '4711'];
    expect(redactText('pass1, (pass1) and pass12 or compass1', secrets)).toBe('[redacted], ([redacted]) and pass12 or compass1');
    expect(redactText('pin:4711 next, "4711", 4711 req/s, p99 4711 ms, at:4711 ms, 4711.5', secrets)).toBe(
      'pin:[redacted] next, "[redacted]", 4711 req/s, p99 4711 ms, at:4711 ms, 4711.5',
    );
    expect(redactText('abc', ['abc'])).toBe('abc');
    const figures = { requests: 4711, labels: ['4711 req/s'], settings: { key: 'pass1' } };
    expect(redactStrings(figures, secrets)).toEqual({ ...figures, settings: { key: '[redacted]' } });
  });

  it('takes what a cut has left of a secret, too: its beginning before the end of a line, its end where one begins', () => {
    const secret = 'Zq8canary5xT99';
    for (const text of [
      `a ${secret.slice(0, 9)}…`,
      `a ${secret.slice(0, 6)}\nnext`,
      `a ${secret.slice(0, 13)}`,
      `${secret.slice(3)} b`,
      `…\n${secret.slice(8)} b`,
    ])
      expect(redactText(text, [secret])).toMatch(/^(?:a \[redacted\](?:…|\nnext)?|(?:…\n)?\[redacted\] b)$/);
    expect(redactText('Zq8can and more, xT99', [secret])).toBe('Zq8can and more, xT99');
    expect(redactText('Zq8canary5 and 8canary5xT99', [secret])).toBe('Zq8canary5 and 8canary5xT99');
    for (const cut of [`password: "${canary} and`, `{'token': '${canary}…`, `postgres://bench:${canary}…`])
      expect(redactText(cut)).not.toContain(canary);
    expect(redactText('listening on http://127.0.0.1:80…')).toBe('listening on http://127.0.0.1:80…');
  });

  it('keeps what is around a secret in a URL', () => {
    expect(redactText(`postgres://bench:${canary}@127.0.0.1:5432/board`)).toBe('postgres://[redacted]@127.0.0.1:5432/board');
  });

  it('takes time in proportion to the text, also for text that looks like secrets all along', () => {
    const pieces = [
      'password',
      'a://',
      'token_',
      'authorization:',
      ' --secret',
      ' --secret ',
      'a-b_c.',
      'password="',
      'x@',
      '-eyJ',
      'eyJaaaaaaaa.',
      'bearer ',
      '-----BEGIN ',
      'a://x@',
    ];
    const started = process.cpuUsage();
    for (const piece of pieces) redactText(piece.repeat(400_000 / piece.length));
    expect(cpuMsSince(started)).toBeLessThan(5_000);
  });

  it('never throws and gives the same when done twice on plain words', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof redactText(text) === 'string'));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('pool', '8', '·', 'ms', 'GET', '/ads')),
        (words) => redactText(words.join(' ')) === words.join(' '),
      ),
    );
  });
});

describe('redactArgv', () => {
  it('sees a value that is an argument of its own', () => {
    expect(redactArgv(['app', '--password', canary, '--port', '80', '-p', '1'])).toEqual([
      'app',
      '--password',
      '[redacted]',
      '--port',
      '80',
      '-p',
      '1',
    ]);
  });

  it('does not take the next option for a value', () => {
    expect(redactArgv(['app', '--use-token', '--verbose'])).toEqual(['app', '--use-token', '--verbose']);
  });
});

describe('redactStrings', () => {
  it('goes through objects and lists, and treats argv as a command line', () => {
    const value = {
      argv: ['app', '--api-key', canary],
      notes: [`token=${canary}`],
      nested: { url: `http://u:${canary}@h/` },
      count: 3,
      nothing: null,
    };
    const result = redactStrings(value);
    expect(JSON.stringify(result)).not.toContain(canary);
    expect(result.count).toBe(3);
    expect(result.nothing).toBeNull();
    expect(result.argv).toEqual(['app', '--api-key', '[redacted]']);
  });

  const word = fc.stringMatching(/^[a-z]{6,12}$/).filter((one) => redactText(`GET /${one} ${one}s`) === `GET /${one} ${one}s`);
  const secretOf = fc.tuple(word, fc.constantFrom('-', '_', '7'), word).map((parts) => parts.join(''));

  it('leaves labels and paths whose words a secret begins or ends with', () => {
    fc.assert(
      fc.property(secretOf, fc.integer({ min: 6, max: 12 }), (secret, length) => {
        const record = [secret.slice(0, length), secret.slice(-length)].flatMap((part) => [part, `GET /${part}`, `${part} · pool 5`]);
        const told = redactStrings({ labels: record, argv: record }, [secret]);
        expect(told).toEqual({ labels: record, argv: record });
      }),
    );
    expect(redactStrings({ label: 'clinic', path: '/orders' }, ['clinic-4711x', 'test-orders'])).toEqual({
      label: 'clinic',
      path: '/orders',
    });
  });

  it('lets no secret through, whole or as a cut leaves it, wherever it stands', () => {
    const around = fc.stringMatching(/^[ -~]{0,20}$/).filter((text) => redactText(text) === text);
    fc.assert(
      fc.property(secretOf, around, around, fc.integer({ min: 1, max: 60 }), (secret, before, after, length) => {
        const whole = `${before} ${secret} ${after}`;
        const log = new BoundedLog();
        log.append(`${'x'.repeat(64 * 1024)}${'y'.repeat(length)}`);
        log.append(`${whole}\n${'z'.repeat(256 * 1024 - length)}`);
        const told = redactStrings({ message: shortened(whole, length), detail: log.tail(3), whole }, [secret]);
        expect(told.message).not.toContain(secret.slice(0, 6));
        expect(told.detail).not.toContain(secret.slice(-6));
        expect(told.whole).not.toContain(secret);
      }),
      { numRuns: 50 },
    );
  });
});
