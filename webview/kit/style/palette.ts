import { paletteCss } from '../../../src/model/presentation/palette.ts';

// High-contrast light carries both high-contrast classes, so it comes last.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
body.vscode-dark { ${paletteCss('dark')} }
body.vscode-light { ${paletteCss('light')} }
body.vscode-high-contrast { ${paletteCss('contrast')} }
body.vscode-high-contrast-light { ${paletteCss('contrastLight')} }
`);
document.adoptedStyleSheets.push(sheet);
