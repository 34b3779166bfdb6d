import { describe, expect, it } from 'vitest';
import { sqlStatements } from '../../../src/engine/services/sqlStatements.ts';

const statementsOf = (text: string): string[] => sqlStatements(text).map(({ start, end }) => text.slice(start, end));

describe('the statements of an SQL text', () => {
  it.each([
    ['nothing but comments', ' -- one;\n/* two; /* three; */ four; */ ;;', []],
    ['the last without a semicolon', 'SELECT 1; SELECT 2', ['SELECT 1', 'SELECT 2']],
    ['strings', `SELECT 'a;''b'; SELECT E'it\\';s', "c;""d"; X`, [`SELECT 'a;''b'`, `SELECT E'it\\';s', "c;""d"`, 'X']],
    ['dollar quotes', 'DO $$ a; b $$; DO $x$ $$; $x$; SELECT a$b$c; D', ['DO $$ a; b $$', 'DO $x$ $$; $x$', 'SELECT a$b$c', 'D']],
    ['a comment behind a statement', 'SELECT 1 -- a;\n; /* b */ SELECT 2 /* c; */;', ['SELECT 1', 'SELECT 2']],
    [
      'a body with semicolons',
      'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3',
      ['CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END', 'SELECT 3'],
    ],
    ['what never ends', `SELECT 'a; b`, [`SELECT 'a; b`]],
  ])('are found: %s', (_name, text, statements) => {
    expect(statementsOf(text)).toEqual(statements);
  });

  it.each([`'`, '"', '$', '$a$', '/*', `E'\\`, 'begin atomic '])('are found in a megabyte of %j within a second', (piece) => {
    const began = process.cpuUsage();
    sqlStatements(piece.repeat(1_000_000 / piece.length));
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
  });
});
