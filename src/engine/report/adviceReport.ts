import type { AdviceRecord } from '../../model/domain/adviceRecord.ts';
import { adviceDocument } from '../../model/presentation/documents/adviceDocument.ts';
import { htmlOf } from './htmlDocument.ts';
import { htmlPage } from './htmlPage.ts';
import { fileTime } from './fileTime.ts';
import { markdownOf } from './markdown.ts';

type Report = { text: string; suggestedName: string };

/** A stored advice as one self-contained page without script, or as GitHub-flavoured Markdown, with the name that its file might have. Names and SQL are untrusted. */
export function adviceReport({ advice, startedAt }: Pick<AdviceRecord, 'advice' | 'startedAt'>, format: 'html' | 'markdown'): Report {
  const name = `benchside-advice-${fileTime(startedAt)}`;
  const parts = adviceDocument(advice);
  return format === 'html'
    ? { text: htmlPage({ title: `What would help: ${advice.targetLabel}`, body: htmlOf(parts) }), suggestedName: `${name}.html` }
    : { text: `${markdownOf(parts)}\n`, suggestedName: `${name}.md` };
}
