import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReportFormat } from '../../model/protocol/protocol.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { csvReport } from './csvReport.ts';
import { diffMarkdown } from './diffMarkdown.ts';
import { fileTime } from './fileTime.ts';
import { htmlReport } from './htmlReport.ts';
import { markdownReport } from './markdownReport.ts';

const endings = { html: 'html', markdown: 'md', csv: 'csv' } as const;

/** A run as a page, a text or a table, with the name that its file might have. The page's charts are drawn by the bundle in `dist/webview`. */
export async function renderReport(
  run: RunRecord,
  format: ReportFormat,
  assetsDir: string,
): Promise<{ text: string; suggestedName: string }> {
  const suggestedName = `benchside-${fileTime(run.startedAt)}.${endings[format]}`;
  return { text: await renderText(run, format, assetsDir), suggestedName };
}

async function renderText(run: RunRecord, format: ReportFormat, assetsDir: string): Promise<string> {
  if (format === 'csv') return csvReport(run);
  if (format === 'markdown')
    return run.result.kind === 'diff' ? `${diffMarkdown(run.result, run.environment)}\n${markdownReport(run)}` : markdownReport(run);
  const asset = (name: string): Promise<string> => readFile(path.join(assetsDir, 'dist', 'webview', name), 'utf8').catch(() => '');
  return htmlReport(run, { script: await asset('report.js'), styles: await asset('report.css') });
}
