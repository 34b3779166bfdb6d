import { cpus } from 'node:os';
import { misread, understood } from '../../../model/domain/parsed.ts';
import type { VariantKey } from '../variantKey.ts';

export const cores: VariantKey = {
  key: 'cores',
  meaning: 'Cores that each process of the target may use.',
  takes: 'numbers from 0.1 to 1024, such as 1 or 0.5',
  example: 'cores=1,2',
  fits: ({ running }) => running === undefined,
  of: 'a target that Benchside starts',
  source: 'https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu',
  read: (text) => {
    const value = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
    return value >= 0.1 && value <= 1024 ? understood(String(value)) : misread(`“${text}” is no number of cores, such as 1 or 0.5.`);
  },
  refuses: (value, label) =>
    Number(value) <= cpus().length
      ? null
      : {
          code: 'cores-too-many',
          message: `${label} is to use ${value} cores, and this machine has ${cpus().length}.`,
          cure: 'Name fewer cores.',
        },
  copies: () => [String(cpus().length), String(cpus().length - 0.01)],
  activation: (value) => ({ cores: Number(value) }),
  seen: async (value, view) => {
    const limited = view.cores();
    return limited === null ? null : { holds: limited === Number(value), shown: String(limited) };
  },
};

export const code: VariantKey = {
  key: 'code',
  meaning: 'The commit, branch or tag of which this side’s code is.',
  takes: 'what Git knows, such as HEAD~1,HEAD, or worktree for the files as they are',
  example: 'code=HEAD~1,HEAD',
  fits: ({ running }) => running === undefined,
  ofWorkspace: true,
  of: 'a target of the workspace that Benchside starts',
  source: 'https://git-scm.com/docs/gitrevisions',
  read: (text) =>
    /^[\w@][\w./~^@{}+-]{0,200}$/.test(text) ? understood(text) : misread(`“${text}” is no name of a commit, a branch or a tag.`),
  copies: () => ['HEAD', 'HEAD~0'],
  activation: (value) => ({ code: value }),
  seen: async (value, view) => {
    const own = view.code(value);
    return own === null ? null : { holds: own.inUse, shown: own.folder };
  },
};
