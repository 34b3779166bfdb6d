export const threadStripStyles = `
  :host {
    --bf-quiet: var(--bs-muted, var(--vscode-descriptionForeground));
    display: flex;
    flex-direction: column;
    min-width: 0;
    color: var(--vscode-foreground);
    font-family: var(--vscode-font-family);
    font-size: 12px;
    line-height: 18px;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]), [hidden] { display: none !important; }
  * { box-sizing: border-box; }
  .scroller { position: relative; overflow-x: hidden; overflow-y: auto; max-height: 540px; flex: 0 1 auto; min-height: 0; scrollbar-gutter: stable; }
  .rows { position: relative; }
  .name {
    position: absolute;
    left: 0;
    width: var(--bf-names);
    height: 18px;
    padding: 0 8px 0 4px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: left;
    cursor: pointer;
  }
  .name:hover { background: var(--vscode-list-hoverBackground); }
  .name[aria-selected='true'] { background: var(--vscode-list-inactiveSelectionBackground); font-weight: 600; }
  .name.active { outline: 1px solid transparent; outline-offset: -1px; }
  .rows:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .rows:focus-visible .name.active { outline-color: var(--vscode-focusBorder); }
  .cells { position: absolute; left: var(--bf-names); right: 0; cursor: crosshair; touch-action: pan-y; }
  .cells canvas { position: absolute; left: 0; }
  .range { position: absolute; top: 0; bottom: 0; border: 1px solid var(--vscode-focusBorder); border-width: 0 1px; pointer-events: none; box-shadow: 0 0 0 100vw color-mix(in srgb, var(--vscode-editor-background) 60%, transparent); }
  .clip { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
  .cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--vscode-foreground); pointer-events: none; }
  .axis { position: relative; flex: none; height: 22px; margin-left: var(--bf-names); color: var(--bf-quiet); font-size: 11px; border-top: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border)); overflow: hidden; }
  .tick { position: absolute; top: 0; padding-left: 3px; border-left: 1px solid var(--vscode-contrastBorder, var(--vscode-panel-border)); white-space: nowrap; }
  .note { min-height: 20px; color: var(--bf-quiet); padding-left: 4px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .tip { position: fixed; z-index: 10; width: max-content; max-width: min(420px, calc(100vw - 16px)); padding: 6px 10px; border: 1px solid var(--vscode-editorHoverWidget-border, var(--vscode-contrastBorder, transparent)); border-radius: 3px; background: var(--vscode-editorHoverWidget-background, var(--vscode-editor-background)); color: var(--vscode-editorHoverWidget-foreground, var(--vscode-foreground)); pointer-events: none; }
  .tip p { margin: 0; overflow-wrap: anywhere; }
  .tip .name { all: unset; font-weight: 600; }
  .tip th { text-align: left; font-weight: normal; color: var(--bf-quiet); padding: 1px 16px 1px 0; }
  .tip table { border-collapse: collapse; }
`;
