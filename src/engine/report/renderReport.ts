import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AdviceRecord } from '../../model/domain/adviceRecord.ts';
import type { ReportFormat } from '../../model/protocol/protocol.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { adviceDocument } from '../../model/presentation/documents/adviceDocument.ts';
import { csvReport } from './csvReport.ts';
import { htmlOf } from './htmlDocument.ts';
import { htmlPage, htmlReport } from './htmlReport.ts';
import { markdownOf } from './markdown.ts';
import { diffMarkdown, markdownReport } from './markdownReport.ts';

type Report = { text: string; suggestedName: string };

const endings = { html: 'html', markdown: 'md', csv: 'csv' } as const;

/** A run as a page, a text or a table, with the name that its file might have. The page's charts are drawn by the bundle in `dist/webview`. */
export async function renderReport(run: RunRecord, format: ReportFormat, assetsDir: string): Promise<Report> {
  return { text: await renderText(run, format, assetsDir), suggestedName: nameOf('benchside', run, format) };
}

/** A stored advice as one self-contained page without script, or as GitHub-flavoured Markdown, with the name that its file might have. Names and SQL are untrusted. */
export function adviceReport({ advice, ...record }: Pick<AdviceRecord, 'advice' | 'startedAt'>, format: 'html' | 'markdown'): Report {
  const parts = adviceDocument(advice);
  const text =
    format === 'html' ? htmlPage({ title: `What would help: ${advice.targetLabel}`, body: htmlOf(parts) }) : `${markdownOf(parts)}\n`;
  return { text, suggestedName: nameOf('benchside-advice', record, format) };
}

/** "benchside-20261121-1402.html" */
function nameOf(what: string, { startedAt }: { startedAt: string }, format: ReportFormat): string {
  return `${what}-${startedAt.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.${endings[format]}`;
}

async function renderText(run: RunRecord, format: ReportFormat, assetsDir: string): Promise<string> {
  if (format === 'csv') return csvReport(run);
  if (format === 'markdown')
    return run.result.kind === 'diff' ? `${diffMarkdown(run.result, run.environment)}\n${markdownReport(run)}` : markdownReport(run);
  const asset = (name: string): Promise<string> => readFile(path.join(assetsDir, 'dist', 'webview', name), 'utf8').catch(() => '');
  return htmlReport(run, { script: await asset('report.js'), styles: await asset('report.css') });
}
