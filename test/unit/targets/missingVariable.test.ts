import { describe, expect, it } from 'vitest';
import { missingVariable } from '../../../src/engine/targets/missingVariable.ts';

describe('the variable that a program misses', () => {
  it.each([
    ['Error: DATABASE_URL is not set', 'DATABASE_URL'],
    ['Missing required environment variable: STRIPE_KEY', 'STRIPE_KEY'],
    ['Could not resolve placeholder \'MAIL_HOST\' in value "${MAIL_HOST}"', 'MAIL_HOST'],
    ['env variable SECRET must be defined', 'SECRET'],
    ['configuration missing: SECRET is not set', 'SECRET'],
    ['TypeError: process.env.TOKEN is undefined', 'TOKEN'],
  ])('is named by “%s”', (line, name) => {
    expect(missingVariable(`> start\n${line}\n    at main (server.js:3:9)`, [])).toBe(name);
  });

  it.each([
    "code: 'MODULE_NOT_FOUND' Cannot find required module",
    'ERR_INVALID_ARG is not set',
    'Listening on PORT_A',
    'password is required',
    'HTTP is not defined',
  ])('is not read out of “%s”', (line) => {
    expect(missingVariable(line, [])).toBeNull();
  });

  it('is not one that it was given, and the last that was said', () => {
    expect(missingVariable('API_KEY is missing', ['API_KEY'])).toBeNull();
    expect(missingVariable('API_KEY is missing\nAPI_URL is missing', [])).toBe('API_URL');
  });
});
