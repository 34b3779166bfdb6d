import { bytesPhrase } from '../../model/domain/format.ts';
import { runDocument } from '../../model/presentation/documents/runDocument.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import { escapeHtml, jsonForScript } from './html.ts';
import { htmlOf } from './htmlDocument.ts';
import { htmlPage } from './htmlPage.ts';

/** What draws the charts. Empty texts give a report without charts that is whole otherwise. */
export interface ReportAssets {
  /**
   * JavaScript; it reads the record from `script#run-record` (JSON) and draws into `div#charts`. Style elements that it adds
   * must carry the nonce in `<meta property="csp-nonce">`.
   */
  script: string;
  styles: string;
}

/** The run as one self-contained page. Names in the record are untrusted and are in the page as text only. */
export function htmlReport(run: RunRecord, assets: ReportAssets = { script: '', styles: '' }): string {
  const files =
    run.files.length === 0 ? '' : ` · ${run.files.length} files, ${bytesPhrase(run.files.reduce((sum, file) => sum + file.bytes, 0))}`;
  return htmlPage({
    title: run.title,
    body: `${htmlOf(runDocument(run))}
<footer>Benchside ${escapeHtml(run.environment.benchside)} · run ${escapeHtml(run.id)}${files}</footer>`,
    charts: { ...assets, data: assets.script === '' ? '' : jsonForScript(run) },
  });
}
