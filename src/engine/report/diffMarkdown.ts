import { diffDocument } from '../../model/presentation/documents/diffDocument.ts';
import { withinBudget } from '../../model/presentation/documents/document.ts';
import type { Environment } from '../../model/domain/run.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';
import { markdownOf } from './markdown.ts';

/** By this line a bot finds its own comment again. */
export const diffMark = '<!-- benchside-diff -->';
/** Below what a comment on GitHub may hold, which counts characters; these are bytes. */
const mostBytes = 60_000;

/**
 * A comparison of two versions as GitHub-flavoured Markdown for a pull request: the verdict and the figures in sight, charts, functions, statements and machine
 * folded. At most 60 kB: what explains the least is left out first. Names and SQL are untrusted.
 */
export function diffMarkdown(diff: VersionDiff, environment: Environment | null): string {
  return withinBudget(
    diffDocument(diff, environment),
    (parts) => `${diffMark}\n${markdownOf(parts)}\n`,
    (text) => Buffer.byteLength(text) <= mostBytes,
  );
}
