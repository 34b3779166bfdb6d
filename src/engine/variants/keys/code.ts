import { misread, understood } from '../../../model/domain/parsed.ts';
import type { VariantKey } from '../variantKey.ts';

export const code: VariantKey = {
  key: 'code',
  meaning: 'The commit, branch or tag of which this side’s code is.',
  takes: 'what Git knows, such as HEAD~1,HEAD, or worktree for the files as they are',
  example: 'code=HEAD~1,HEAD',
  fits: ({ running }) => running === undefined,
  ofWorkspace: true,
  of: 'a target of the workspace that Benchside starts',
  means: 'copy of the code',
  effect: 'Whether a setting that suits one version suits the other, too.',
  cost: 'A copy of the repository for each version, built as “benchside diff” builds it.',
  source: 'https://git-scm.com/docs/gitrevisions',
  read: (text) =>
    /^[\w@][\w./~^@{}+-]{0,200}$/.test(text) ? understood(text) : misread(`“${text}” is no name of a commit, a branch or a tag.`),
  copies: () => ['HEAD', 'HEAD~0'],
  activation: (value) => ({ code: value }),
  seen: (value, view) => {
    const own = view.code(value);
    return Promise.resolve(own === null ? null : { holds: own.inUse, shown: own.folder });
  },
};
