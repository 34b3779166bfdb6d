import { runDocument } from '../../model/presentation/documents/runDocument.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { markdownOf } from './markdown.ts';

/** The run as GitHub-flavoured Markdown that can be pasted into a pull request: answers and figures in sight, the rest folded. */
export function markdownReport(run: RunRecord): string {
  return `${markdownOf(runDocument(run))}\n`;
}
