import type { Environment, RunRecord } from '../../model/domain/run.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';
import { diffDocument } from '../../model/presentation/documents/diffDocument.ts';
import { withinBudget } from '../../model/presentation/documents/document.ts';
import { runDocument } from '../../model/presentation/documents/runDocument.ts';
import { markdownOf } from './markdown.ts';

/** The run as GitHub-flavoured Markdown that can be pasted into a pull request: answers and figures in sight, the rest folded. */
export function markdownReport(run: RunRecord): string {
  return `${markdownOf(runDocument(run))}\n`;
}

/** By this line a bot finds its own comment again. */
const diffMark = '<!-- benchside-diff -->';
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
