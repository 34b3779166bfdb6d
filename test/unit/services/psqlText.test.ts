import { describe, expect, it } from 'vitest';
import { serverText } from '../../../src/engine/services/psqlText.ts';

describe('an SQL file that psql reads', () => {
  it('is read as it is where it has nothing of psql', () => {
    const text = `SELECT 'a\\b', E'\\\\', "\\c"; -- \\c other\n/* \\i file */ DO $$ \\d $$;`;
    expect(serverText(text)).toEqual({ text, copied: [], left: [], refused: null });
  });

  it('loses what only chooses the database or the output of psql, and keeps its lines', () => {
    const text =
      'CREATE DATABASE shop;\n\\c shop;\n\\restrict a1B2\n\\set ON_ERROR_STOP on\n  \\echo done\nCREATE TABLE ad ();\n\\dt+\n\\unrestrict a1B2\n';
    expect(serverText(text)).toEqual({
      text: 'CREATE DATABASE shop;\n\n\n\n  \nCREATE TABLE ad ();\n\n\n',
      copied: [],
      left: ['\\c shop;', '\\restrict a1B2', '\\set ON_ERROR_STOP on', '\\echo done', '\\dt+', '\\unrestrict a1B2'],
      refused: null,
    });
  });

  it('gives what COPY reads from the file, whatever is written there', () => {
    const text = `COPY ad (id, title) FROM stdin;\n1\tit's; "\n2\t\\N\n\\.\n\nSELECT 1;\nCOPY bid FROM STDIN WITH (FORMAT csv);\r\n3,$$\r\n\\.\r\nSELECT 2;`;
    expect(serverText(text)).toEqual({
      text: 'COPY ad (id, title) FROM stdin;\n\n\n\n\nSELECT 1;\nCOPY bid FROM STDIN WITH (FORMAT csv);\r\n\n\nSELECT 2;',
      copied: [`1\tit's; "\n2\t\\N\n`, '3,$$\r\n'],
      left: [],
      refused: null,
    });
  });

  it.each(['\\i tables.sql', '\\copy ad FROM rows.csv', '\\gexec', '\\if :fresh', '\\! createdb shop'])('is refused with %s', (command) => {
    expect(serverText(`SELECT 1;\nSELECT 'x'\n${command}\n`)).toMatchObject({ refused: { command, line: 3 } });
  });
});
