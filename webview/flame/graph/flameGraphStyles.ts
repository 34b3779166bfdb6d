/** Of the graph's shadow tree. Constructed, because the page's policy allows no inline styles. */
export const flameGraphStyles = `
  :host {
    --bf-quiet: var(--bs-muted, var(--vscode-descriptionForeground));
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
    position: relative;
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size, 13px);
    line-height: 1.45;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]), [hidden] { display: none !important; }
  :host([compact]) .minimap, :host([compact]) .details { display: none; }
  * { box-sizing: border-box; }
  p { margin: 0; }
  .minimap {
    position: relative;
    flex: none;
    height: 40px;
    width: var(--bf-width, 100%);
    margin: 0 0 8px;
    overflow: hidden;
    cursor: grab;
    touch-action: none;
    background: var(--vscode-editor-background);
  }
  .minimap:active { cursor: grabbing; }
  .minimap canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
  .minimap .window {
    position: absolute;
    inset-block: 0;
    border: 1px solid var(--vscode-focusBorder);
    border-width: 0 1px;
    box-shadow: 0 0 0 100vw color-mix(in srgb, var(--vscode-editor-background) 62%, transparent);
    pointer-events: none;
  }
  .minimap.whole .window { border-color: transparent; }
  .minimap:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
  .area { position: relative; flex: 1 1 0; min-height: 0; }
  .scroller {
    position: absolute;
    inset: 0;
    overflow: hidden auto;
    scrollbar-gutter: stable;
    scrollbar-color: var(--vscode-scrollbarSlider-background) transparent;
    overscroll-behavior: contain;
  }
  .sheet { position: sticky; top: 0; height: 100%; overflow: hidden; cursor: default; touch-action: pan-y; user-select: none; }
  .sheet.dragging { cursor: grabbing; }
  .sheet.pointing { cursor: pointer; }
  .sheet canvas { display: block; position: absolute; top: 0; left: 0; }
  .mark { position: absolute; top: 0; left: 0; height: 20px; pointer-events: none; display: none; }
  .mark.hover { border: 1px solid var(--bf-outline); }
  .mark.selected { border: 2px solid var(--bf-outline); }
  .tree { position: absolute; top: 0; bottom: 0; left: 0; width: var(--bf-width, 100%); overflow: hidden; pointer-events: none; outline: none; }
  .tree:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
  .tree .items { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .empty { position: absolute; inset: 0; padding: 12px 0; color: var(--vscode-descriptionForeground); pointer-events: none; }
  .details {
    display: flex;
    flex: none;
    height: 24px;
    padding-top: 5px;
    overflow: hidden;
    white-space: nowrap;
    font-size: 12px;
    color: var(--bf-quiet);
  }
  .details .what { min-width: 0; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
  .details .figures { flex: none; white-space: pre; }
  @media (max-width: 560px) { .details { flex-wrap: wrap; height: 40px; white-space: normal; } .details .what { white-space: nowrap; } }
  .details .name { color: var(--vscode-foreground); font-weight: 600; }
  .tip {
    position: fixed;
    z-index: 10;
    width: max-content;
    max-width: min(460px, calc(100vw - 16px));
    max-height: calc(100vh - 16px);
    overflow: hidden;
    padding: 8px 12px;
    border: 1px solid var(--vscode-editorHoverWidget-border, var(--vscode-contrastBorder, transparent));
    border-radius: 3px;
    background: var(--vscode-editorHoverWidget-background, var(--vscode-editor-background));
    color: var(--vscode-editorHoverWidget-foreground, var(--vscode-foreground));
    font-size: 12px;
    pointer-events: none;
  }
  .tip .head { overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; overflow: hidden; }
  .tip .name { font-weight: 600; font-size: 13px; }
  .tip .place { color: var(--bf-quiet); }
  .tip table { border-collapse: collapse; margin-top: 4px; }
  .tip th { text-align: left; font-weight: normal; color: var(--bf-quiet); padding: 1px 16px 1px 0; }
  .tip td { padding: 1px 20px 1px 0; white-space: nowrap; }
  .tip td[colspan] { white-space: normal; }
`;

/** A style sheet made once for all elements of a kind. */
export function styleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
