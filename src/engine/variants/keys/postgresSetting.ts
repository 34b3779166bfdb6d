import { misread, understood } from '../../../model/domain/parsed.ts';
import type { VariantKey } from '../variantKey.ts';

const prefix = 'postgres.';

export const postgresSetting: VariantKey = {
  key: 'postgres.<setting>',
  meaning: 'A setting of PostgreSQL for the sessions of this side, such as work_mem.',
  takes: 'what PostgreSQL takes for the setting, such as 4MB, on or 1.1',
  example: 'postgres.work_mem=4MB,64MB',
  fits: ({ postgres, running }) => postgres !== undefined && running === undefined,
  of: 'a target that is given PostgreSQL by Benchside',
  means: 'sessions of a role of its own',
  effect: 'Other plans, sorts and hashes in memory, or fewer waits for what is written, each by its setting.',
  cost: 'Each by its setting; of work_mem memory for every sort and hash of every session.',
  source: 'https://www.postgresql.org/docs/current/runtime-config.html',
  read: (text) => (/^[^\0-\x1f]{1,200}$/.test(text) ? understood(text) : misread(`“${text}” is no value of a setting.`)),
  copies: () => ['4MB', '4096kB'],
  activation: (value, name) => ({ database: { setting: name.slice(prefix.length), value } }),
  seen: async (value, view, name) => {
    const found = await view.databaseSetting(name.slice(prefix.length), value);
    return found === null ? null : { holds: found.shown === found.meant, shown: found.shown };
  },
};
