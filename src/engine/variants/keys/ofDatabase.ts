import { existsSync } from 'node:fs';
import path from 'node:path';
import { misread, understood } from '../../../model/domain/parsed.ts';
import { mostRoundTripMs, parseRoundTrip } from '../../../model/domain/roundTrip.ts';
import type { VariantKey } from '../variantKey.ts';

const ofDatabase: Pick<VariantKey, 'fits' | 'of'> = {
  fits: ({ postgres, running }) => postgres !== undefined && running === undefined,
  of: 'a target that is given PostgreSQL by Benchside',
};

/** What shows that a side has a copy of the database: a session of its app is in it. */
const ofCopy: Pick<VariantKey, 'fits' | 'of' | 'seen'> = {
  ...ofDatabase,
  seen: async (_value, view) => {
    const own = await view.ownDatabase();
    return own === null ? null : { holds: own.inUse, shown: own.inUse ? own.name : 'another database' };
  },
};

const prefix = 'postgres.';

export const postgresSetting: VariantKey = {
  key: 'postgres.<setting>',
  meaning: 'A setting of PostgreSQL for the sessions of this side, such as work_mem.',
  takes: 'what PostgreSQL takes for the setting, such as 4MB, on or 1.1',
  example: 'postgres.work_mem=4MB,64MB',
  ...ofDatabase,
  source: 'https://www.postgresql.org/docs/current/runtime-config.html',
  read: (text) => (/^[^\0-\x1f]{1,200}$/.test(text) ? understood(text) : misread(`“${text}” is no value of a setting.`)),
  copies: () => ['4MB', '4096kB'],
  activation: (value, name) => ({ database: { setting: name.slice(prefix.length), value } }),
  seen: async (value, view, name) => {
    const found = await view.databaseSetting(name.slice(prefix.length), value);
    return found === null ? null : { holds: found.shown === found.meant, shown: found.shown };
  },
};

const asItIs = 'none';

export const sql: VariantKey = {
  key: 'sql',
  meaning: 'A file of SQL that is run in a copy of the database of this side alone, such as one that makes an index.',
  takes: 'names of files, or none for the copy as it is',
  example: 'sql=none,index.sql',
  ...ofCopy,
  source: 'https://www.postgresql.org/docs/current/sql-createindex.html',
  read: (text) => {
    if (text.toLowerCase() === asItIs) return understood(asItIs);
    return /^[^\0-\x1f]{1,400}$/.test(text) && text.trim() === text ? understood(text) : misread(`“${text}” is no name of a file.`);
  },
  refuses: (value) =>
    value === asItIs || existsSync(path.resolve(value))
      ? null
      : {
          code: 'sql-missing',
          message: `There is no file ${value} to run in a copy of the database.`,
          cure: 'Name it from this folder on, or by its whole path.',
        },
  copies: (emptyFile) => [asItIs, emptyFile],
  activation: (value) => ({ copy: value === asItIs ? {} : { sql: value } }),
};

const mostTimes = 1000;

export const rows: VariantKey = {
  key: 'rows',
  meaning: 'How many times the rows of the database each side has in a copy of its own.',
  takes: `1x to ${mostTimes}x, such as 1x,3x,10x`,
  example: 'rows=1x,10x',
  ...ofCopy,
  source: 'https://www.postgresql.org/docs/current/using-explain.html',
  read: (text) => {
    const factor = /^(\d{1,4})x?$/i.exec(text)?.[1];
    const value = factor === undefined ? Number.NaN : Number(factor);
    return value >= 1 && value <= mostTimes ? understood(`${value}x`) : misread(`“${text}” is no multiple from 1x to ${mostTimes}x.`);
  },
  copies: () => ['1x'],
  activation: (value) => ({ copy: { rows: Number.parseInt(value, 10) } }),
};

/** By so much a distance may be measured as less than it is. */
const sloppyMs = 0.05;

export const rtt: VariantKey = {
  key: 'rtt',
  meaning: 'The round trip between the app and its database, in addition to that of this machine.',
  takes: `times from 0 to ${mostRoundTripMs}ms, such as 0, 0.5ms or 500us`,
  example: 'rtt=0,0.5ms,2ms',
  ...ofDatabase,
  source: 'https://www.postgresql.org/docs/current/libpq-pipeline-mode.html',
  read: (text) => {
    const parsed = parseRoundTrip(text);
    return parsed.ok ? understood(`${parsed.value}ms`) : parsed;
  },
  copies: () => ['1ms', '1.001ms'],
  activation: (value) => ({ rttMs: Number.parseFloat(value) }),
  seen: async (value, view) => {
    const distance = await view.distance();
    if (distance === null) return null;
    const { addedMs, inUse } = distance;
    return { holds: inUse && addedMs >= Number.parseFloat(value) - sloppyMs, shown: inUse ? `${addedMs.toFixed(2)}ms` : 'none' };
  },
};
