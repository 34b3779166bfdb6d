import { type Answer, type Item, type Part, type PartTexts, partsText } from '../../model/presentation/documents/document.ts';
import { type Table, cellText } from '../../model/presentation/table.ts';
import { targetHueCount } from '../../model/presentation/palette.ts';
import { markPath, targetMarkOf } from '../../model/presentation/targetHue.ts';
import { forestSvg } from './forest.ts';
import { escapeHtml } from './html.ts';

/** A document as the body of an HTML page without script; `reportStyle` has its classes. All of its texts may be of others. */
export function htmlOf(parts: readonly Part[]): string {
  return partsText(texts, parts, '\n');
}

const texts: PartTexts = {
  heading: ({ text, about = '', chips = [] }) => {
    const shown = chips.map(({ text: words, look, section }) =>
      section === undefined
        ? `<span class="chip ${look}">${escapeHtml(words)}</span>`
        : `<a class="chip ${look}" href="#${section}">${escapeHtml(words)}</a>`,
    );
    return `<header><h1>${escapeHtml(text)}</h1><span class="subtitle">${escapeHtml(about)}</span>\n${shown.join('')}</header>`;
  },
  text: ({ text, quiet }) => `<p${quiet ? ' class="note"' : ''}>${escapeHtml(text)}</p>`,
  answers: ({ answers }) => `<section class="answers" aria-label="Answers">\n${answers.map(answerCard).join('\n')}\n</section>`,
  list: ({ items }) => remarkList(items),
  facts: ({ facts }) =>
    `<dl>\n${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('\n')}\n</dl>`,
  table: ({ table }) => tableOf(table),
  forest: ({ lines, delta }) => forestSvg(lines, delta) ?? '',
  lines: ({ lines }) => `<pre>${escapeHtml(lines.join('\n'))}</pre>`,
  section: ({ id, title, parts }) =>
    `<section${id === undefined ? '' : ` id="${id}"`}>\n<h2>${escapeHtml(title)}</h2>\n${htmlOf(parts)}\n</section>`,
  beside: ({ sections }) => `<div class="facts">\n${htmlOf(sections)}\n</div>`,
  drawn: ({ id }) => `<div id="${id}"></div>`,
};

function hueClass(target: string): string {
  return `hue-${targetMarkOf(target) % targetHueCount}`;
}

/** The shape of a target, the same as in the charts; its hue is that of the card or the row around it. */
function mark(target: string): string {
  return `<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="${markPath(targetMarkOf(target))}"/></svg>`;
}

function answerCard({ target, label, headline, aside, look, status, text, evidence, warning, condition }: Answer): string {
  const rows = evidence.map(
    ({ name, says, word, text: said }) =>
      `<dt class="${says}">${escapeHtml(name)} <span>${escapeHtml(word)}</span></dt><dd>${escapeHtml(said)}</dd>`,
  );
  return [
    `<article class="answer${target === null ? '' : ` ${hueClass(target)}`}">`,
    ...(label === null ? [] : [`<p class="muted">${target === null ? '' : mark(target)}${escapeHtml(label)}</p>`]),
    `<p class="headline${look === undefined ? '' : ` ${look}`}">${escapeHtml(headline)}${aside === '' ? '' : ` <span>${escapeHtml(aside)}</span>`}</p>`,
    `<p>${status === '' ? '' : `<strong>${escapeHtml(status)}.</strong> `}${escapeHtml(text)}</p>`,
    ...(rows.length === 0 ? [] : [`<dl class="answerEvidence">${rows.join('\n')}</dl>`]),
    ...(warning === '' ? [] : [`<p class="warning">${escapeHtml(warning)}</p>`]),
    ...(condition === '' ? [] : [`<p class="muted">${escapeHtml(condition)}</p>`]),
    '</article>',
  ].join('\n');
}

function tableOf({ caption, columns, rows }: Table): string {
  if (rows.length === 0) return '<p>Nothing was measured.</p>';
  const classOf = (names: readonly string[]): string => {
    const shown = names.filter((name) => name !== '');
    return shown.length === 0 ? '' : ` class="${shown.join(' ')}"`;
  };
  const classes = columns.map(({ numeric, muted }) => classOf([numeric ? 'number' : '', muted ? 'muted' : '']));
  const head = columns.map(({ title }, index) => `<th scope="col"${classes[index] ?? ''}>${escapeHtml(title)}</th>`);
  const body = rows.map(({ target, valid, mark: marked, cells }) => {
    const looks = [marked === 'unsure' ? 'recommended unsure' : (marked ?? ''), valid ? '' : 'invalid'];
    const shown = cells.map(
      (cell, index) => `<td${classes[index] ?? ''}>${index === 0 && target !== null ? mark(target) : ''}${escapeHtml(cellText(cell))}</td>`,
    );
    return `<tr${classOf([...looks, target === null ? '' : hueClass(target)])}>${shown.join('')}</tr>`;
  });
  const title = caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>\n`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption ?? 'Table')}"><table>\n${title}<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
}

/** More remarks than these are folded, so that what follows them stays in sight. */
const mostItems = 4;

function remarkList(items: readonly Item[]): string {
  const rows = items.map(remark);
  const shown = rows.length > mostItems + 1 ? mostItems : rows.length;
  const rest = rows.slice(shown);
  const more = rest.length === 0 ? [] : [`<li>${folded(`${rest.length} more`, rest, ' class="remarks"')}</li>`];
  return `<ul class="remarks">\n${[...rows.slice(0, shown), ...more].join('\n')}\n</ul>`;
}

function remark({ look, about, text, evidence = [], more }: Item): string {
  const lines = [...evidence, ...(more?.ruledOut ?? []).map((one) => `ruled out: ${one}`)].map((one) => `<li>${escapeHtml(one)}</li>`);
  const next = more === undefined || more.next.length === 0 ? '' : `<p class="muted">Next: ${escapeHtml(more.next.join('; '))}</p>`;
  return [
    `<li class="${look}">${about === '' ? '' : `<b>${escapeHtml(about)}:</b> `}${escapeHtml(text)}`,
    ...(more === undefined ? [] : [`<p class="muted">${escapeHtml(more.explanation)}</p>`]),
    ...(lines.length === 0 ? [] : [folded('Evidence', lines)]),
    `${next}</li>`,
  ].join('');
}

function folded(title: string, items: readonly string[], look = ''): string {
  return `<details><summary>${title}</summary><ul${look}>\n${items.join('\n')}\n</ul></details>`;
}
