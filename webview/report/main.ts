import '../kit/page/withoutEval.ts';
import '../kit/style/palette.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { presentedRun } from '../../src/model/presentation/runTable.ts';
import '../result/comparisonCharts.ts';
import '../result/interferenceStrip.ts';
import '../result/resourceUseCharts.ts';
import '../experiments/experimentCharts.ts';

/**
 * Draws the charts of the self-contained report into `#charts`, from the run in the page's only `<script type="application/json">`.
 * The engine that wrote the page checked the record and wrote everything else as plain HTML: without scripts the page still has all figures.
 */
function drawReport(): void {
  const source = document.querySelector('script[type="application/json"]')?.textContent;
  const place = document.getElementById('charts');
  if (!source || !place) return;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = (): void => {
    document.body.classList.toggle('vscode-dark', dark.matches);
    document.body.classList.toggle('vscode-light', !dark.matches);
  };
  follow();
  dark.addEventListener('change', follow);

  const run = JSON.parse(source) as RunRecord;
  const charts = document.createElement('benchside-comparison-charts');
  const resources = document.createElement('benchside-resource-use');
  Object.assign(charts, presentedRun(run));
  Object.assign(resources, { trials: run.trials });
  resources.style.setProperty('margin-top', '24px');
  const told = document.getElementById('interference');
  if (told) {
    const strip = document.createElement('benchside-interference');
    Object.assign(strip, { trials: run.trials });
    // It has its own heading, and is right under the charts; the sentence below it stays.
    told.querySelector('h2')?.remove();
    told.querySelector('#strip')?.replaceChildren(strip);
    strip.style.setProperty('margin-top', '24px');
  }
  if (run.result.kind === 'experiment') {
    const levels = document.createElement('benchside-experiment-charts');
    Object.assign(levels, { record: run.result });
    place.replaceChildren(levels, ...(told ? [told] : []), resources);
    return;
  }
  place.replaceChildren(charts, ...(told ? [told] : []), resources);
}

drawReport();
