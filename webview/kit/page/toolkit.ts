import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * The only place that knows the component library. Elsewhere its tags are used (`vscode-button`, `vscode-checkbox`,
 * `vscode-dropdown`, `vscode-option`, `vscode-text-field`); another library that defines these five replaces it.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeCheckbox(), vsCodeDropdown(), vsCodeOption(), vsCodeTextField());
}
