import type { Advice } from '../../model/domain/advice.ts';
import type { AdviceRecord } from '../../model/domain/adviceRecord.ts';
import { adviceDocument } from '../../model/presentation/documents/adviceDocument.ts';
import { htmlOf } from './htmlDocument.ts';
import { htmlPage } from './htmlPage.ts';
import { fileTime } from './fileTime.ts';
import { markdownOf } from './markdown.ts';

/** What would help as GitHub-flavoured Markdown. Names and SQL are untrusted. */
export function adviceMarkdown(advice: Advice): string {
  return `${markdownOf(adviceDocument(advice))}\n`;
}

/** The same as one self-contained page without script. */
export function adviceHtml(advice: Advice): string {
  return htmlPage({ title: `What would help: ${advice.targetLabel}`, body: htmlOf(adviceDocument(advice)) });
}

/** A stored advice as a page or a text, with the name that its file might have. */
export function adviceReport({ advice, startedAt }: AdviceRecord, format: 'html' | 'markdown'): { text: string; suggestedName: string } {
  const suggestedName = `benchside-advice-${fileTime(startedAt)}.${format === 'html' ? 'html' : 'md'}`;
  return { text: format === 'html' ? adviceHtml(advice) : adviceMarkdown(advice), suggestedName };
}
