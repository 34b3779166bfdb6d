// First of all: it must be in force before any schema is made.
import '../kit/page/withoutEval.ts';
import { embeddedChannel } from '../flame/app/embeddedChannel.ts';
import { FlameApp } from '../flame/app/flameApp.ts';
import '../kit/style/palette.ts';

/** Shows the recording that is in the page, in the colours that the reader's system prefers; `embeddedChannel.ts` reads it. */
function showPage(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const contrast = window.matchMedia('(prefers-contrast: more)');
  const follow = (): void => {
    const name = `vscode-${contrast.matches ? (dark.matches ? 'high-contrast' : 'high-contrast-light') : dark.matches ? 'dark' : 'light'}`;
    // High-contrast light carries both names, as in the editor.
    document.body.className = name === 'vscode-high-contrast-light' ? `vscode-high-contrast ${name}` : name;
  };
  follow();
  for (const query of [dark, contrast]) query.addEventListener('change', follow);
  const app = new FlameApp();
  app.channel = embeddedChannel(document);
  document.body.append(app);
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showPage);
else showPage();
