import type { Advice } from '../../model/advice.ts';
import { adviceDocument } from '../../model/documents/adviceDocument.ts';
import { htmlOf } from './htmlDocument.ts';
import { htmlPage } from './htmlPage.ts';
import { markdownOf } from './markdown.ts';

/** What would help as GitHub-flavoured Markdown. Names and SQL are untrusted. */
export function adviceMarkdown(advice: Advice): string {
  return `${markdownOf(adviceDocument(advice))}\n`;
}

/** The same as one self-contained page without script. */
export function adviceHtml(advice: Advice): string {
  return htmlPage({ title: `What would help: ${advice.targetLabel}`, body: htmlOf(adviceDocument(advice)) });
}
