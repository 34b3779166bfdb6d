import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { namedSecrets, optionsOf } from '../../../src/engine/files/namedSecrets.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { secretsOf } from '../../../src/engine/targets/catalog.ts';
import { maskBytes, redactStrings } from '../../../src/engine/files/redact.ts';
import { redactRecord } from '../../../src/engine/files/redactRecord.ts';

describe('what is secret by its name', () => {
  it('is the value of a variable, a header or an option, from four characters on, and the password of an address', () => {
    const variables = {
      DB_PASSWORD: 'abcd',
      API_TOKEN: 'abc',
      FEATURE_TOKEN: 'true',
      PORT: '8080',
      PWD: '/home/me/shop',
      DATABASE_URL: 'postgres://app:s%2Fcr@127.0.0.1/shop',
      'X-Api-Key': 'key-of-header',
      Authorization: 'Bearer of-the-header',
      MISSING_SECRET: undefined,
    };
    expect(namedSecrets(variables)).toEqual(['abcd', 's%2Fcr', 's/cr', 'key-of-header', 'Bearer of-the-header', 'of-the-header']);
    expect(namedSecrets(optionsOf(['java', '-Dapp.password=first', '--token', 'second', '-jar', 'shop.jar', 'third']))).toEqual([
      'first',
      'second',
    ]);
  });
});

describe('what a load profile of the workspace sends', () => {
  const step = {
    name: 'sign in',
    path: '/login',
    headers: { 'X-Api-Key': 'Zq8profileKey5xT', 'X-Auth': 'Bearer {{token}}', Authorization: 'Bearer {{token}}', Accept: 'text/html' },
    multipart: [
      { name: 'password', text: 'Zq8formWord5xT' },
      { name: 'about', text: 'nothing secret' },
    ],
  };
  const profile = loadProfileSchema.parse({
    name: 'evening',
    connections: 1,
    roles: [{ name: 'reader', weight: 1, once: [step], steps: [step] }],
  });
  const secrets = (origin: 'workspace' | 'bundled') => secretsOf({ targets: [], postgresUrl: null, loadProfiles: [{ profile, origin }] });

  it('is secret by the names of its headers and of the parts of its forms, but for what is filled in later', () => {
    expect(secrets('workspace')).toEqual(['Zq8profileKey5xT', 'Zq8formWord5xT']);
    expect(secrets('bundled')).toEqual([]);
  });

  it('is not in the record of a run, also where nobody knows the profile any more', () => {
    const told = JSON.stringify(redactStrings(profile, secrets('workspace')));
    expect(told).not.toMatch(/Zq8/);
    expect(told).toContain('"Authorization":"Bearer {{token}}"');
    expect(told).toContain('"Accept":"text/html"');
    expect(JSON.stringify(redactStrings(profile))).not.toContain('Zq8profileKey5xT');
  });
});

describe('a record', () => {
  const schema = z.object({ runtime: z.enum(['node', 'jvm']), log: z.string(), figures: z.array(z.object({ unit: z.literal('wall') })) });

  it('loses short secrets from its texts and keeps the words that its schema asks for', () => {
    const record = { runtime: 'node', log: 'node said node', figures: [{ unit: 'wall' }] };
    expect(redactRecord(schema, record, ['node', 'wall']).data).toEqual({ ...record, log: '[redacted] said [redacted]' });
  });

  it('that breaks its schema by itself stays refused', () => {
    expect(redactRecord(schema, { runtime: 'perl', log: '', figures: [] }, ['perl']).success).toBe(false);
  });
});

describe('a recording', () => {
  it('keeps its length, with asterisks over what is known to be secret, as it is, in URLs and in JSON', () => {
    const bytes = Buffer.from('{"url":"file:///a.mjs?key=s%2Fcret%22key","name":"s/cret\\"key","short":"abcd"}');
    const { length } = bytes;
    maskBytes(bytes, ['s/cret"key', 'abcd']);
    expect(bytes.toString()).toBe('{"url":"file:///a.mjs?key=**************","name":"***********","short":"abcd"}');
    expect(bytes).toHaveLength(length);
  });
});
