import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { connectionOf, jdbcUrl, parsePostgresUrl, postgresUrl, serverName } from '../../../src/engine/services/serverUrl.ts';

function refusal(url: string): string {
  try {
    parsePostgresUrl(url);
  } catch (error) {
    if (error instanceof FailureError) return `${error.failure.message} ${error.failure.cure}`;
  }
  throw new Error(`${url} was not refused`);
}

describe('the URL of a server', () => {
  it('is read with what it leaves out at its default', () => {
    expect(parsePostgresUrl('postgres://')).toMatchObject({ host: '127.0.0.1', port: 5432, database: 'postgres', tls: null, mode: 'own' });
    expect(parsePostgresUrl('postgresql://a%40b:p%2Fw@db.example:6000/sh%20op')).toMatchObject({
      host: 'db.example',
      port: 6000,
      user: 'a@b',
      password: 'p/w',
      database: 'sh op',
      external: true,
    });
  });

  it('with an address of IPv6 is one for people, apps and drivers', () => {
    const address = parsePostgresUrl('postgres://me@[::1]:5433/shop');
    expect(address.host).toBe('::1');
    expect(serverName(address)).toBe('[::1]:5433');
    expect(postgresUrl(address, 'shop')).toBe('postgres://me:@[::1]:5433/shop');
    expect(jdbcUrl(address, 'shop')).toBe('jdbc:postgresql://[::1]:5433/shop');
  });

  it('gives on to apps how the connection is to be secured', () => {
    const address = parsePostgresUrl('postgres://me:x@db/shop?sslmode=verify-full&sslrootcert=/etc/our%20ca.pem');
    expect(address.tls).toEqual({ mode: 'verify-full', rootCertificate: '/etc/our ca.pem' });
    for (const url of [postgresUrl(address, 'other'), jdbcUrl(address, 'other').replace(/^jdbc:/, '')]) {
      expect(new URL(url).searchParams.get('sslmode')).toBe('verify-full');
      expect(new URL(url).searchParams.get('sslrootcert')).toBe('/etc/our ca.pem');
      expect(new URL(url).pathname).toBe('/other');
    }
  });

  it('names a certificate that is a file: a device is refused, and a pipe is not waited for', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'benchside-certificate-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const pipe = path.join(folder, 'ca.pem');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, '/dev/zero']) {
      const address = parsePostgresUrl(`postgres://db/shop?sslmode=verify-full&sslrootcert=${file}`);
      expect(() => connectionOf(address), file).toThrow(/cannot be read/);
    }
  });

  it.each([
    [
      'asks for something that is not known',
      'postgres://db/shop?sslmode=require&options=-csearch_path%3Dx',
      /“options”, which Benchside does not know/,
    ],
    ['leaves it open whether it is encrypted', 'postgres://db/shop?sslmode=prefer', /sslmode=prefer.*Choose one of disable, require/],
    ['checks against no certificate', 'postgres://db/shop?sslmode=verify-ca', /without a certificate/],
    ['names a certificate from nowhere', 'postgres://db/shop?sslmode=require&sslrootcert=ca.pem', /“ca\.pem”.*whole path/],
    ['names the folder of a socket', 'postgres://%2Fvar%2Frun%2Fpostgresql/shop', /no folder of a socket/],
    ['names several hosts', 'postgres://a,b/shop', /one host is understood|cannot be read/],
    ['is one of another system', 'mysql://db/shop', /starts with mysql:/],
    ['has a broken escape', 'postgres://me:%zz@db/shop', /cannot be read/],
  ])('that %s is refused with a sentence', (_what, url, sentence) => {
    expect(refusal(url)).toMatch(sentence);
  });
});
