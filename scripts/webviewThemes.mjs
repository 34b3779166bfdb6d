// The theme variables that the panel uses, with the values that VS Code's own four themes give them.
const font = { 'font-family': "system-ui, 'Ubuntu', 'Droid Sans', 'DejaVu Sans', sans-serif", 'font-size': '13px', 'font-weight': 'normal', 'editor-font-family': "'DejaVu Sans Mono', monospace" };

export const themes = {
  dark: {
    bodyClass: 'vscode-dark', kind: 'vscode-dark',
    variables: { ...font, foreground: '#cccccc', descriptionForeground: '#9d9d9d', 'editor-background': '#1f1f1f', 'editor-foreground': '#cccccc', 'sideBar-background': '#181818', 'panel-border': '#2b2b2b', focusBorder: '#0078d4',
      'button-background': '#0078d4', 'button-foreground': '#ffffff', 'button-hoverBackground': '#026ec1', 'button-border': '#ffffff12', 'button-secondaryBackground': '#313131', 'button-secondaryForeground': '#cccccc', 'button-secondaryHoverBackground': '#3c3c3c',
      'input-background': '#313131', 'input-foreground': '#cccccc', 'input-border': '#3c3c3c', 'input-placeholderForeground': '#989898', 'settings-textInputBorder': '#3c3c3c', 'dropdown-background': '#313131', 'dropdown-border': '#3c3c3c', 'dropdown-foreground': '#cccccc', 'settings-dropdownListBorder': '#454545',
      'checkbox-background': '#313131', 'checkbox-border': '#3c3c3c', 'list-hoverBackground': '#2a2d2e', 'list-activeSelectionBackground': '#04395e', 'list-activeSelectionForeground': '#ffffff', 'textLink-foreground': '#4daafc', 'textLink-activeForeground': '#4daafc',
      'editorHoverWidget-background': '#202020', 'editorHoverWidget-foreground': '#cccccc', 'editorHoverWidget-border': '#454545', 'progressBar-background': '#0078d4', 'panelTitle-activeBorder': '#0078d4', 'panelTitle-activeForeground': '#cccccc', 'panelTitle-inactiveForeground': '#9d9d9d',
      'menu-background': '#1f1f1f', 'menu-foreground': '#cccccc', 'menu-selectionBackground': '#0078d4', 'menu-selectionForeground': '#ffffff', errorForeground: '#f85149' },
  },
  light: {
    bodyClass: 'vscode-light', kind: 'vscode-light',
    variables: { ...font, foreground: '#3b3b3b', descriptionForeground: '#3b3b3b', 'editor-background': '#ffffff', 'editor-foreground': '#3b3b3b', 'sideBar-background': '#f8f8f8', 'panel-border': '#e5e5e5', focusBorder: '#005fb8',
      'button-background': '#005fb8', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0258a8', 'button-border': '#0000001a', 'button-secondaryBackground': '#e5e5e5', 'button-secondaryForeground': '#3b3b3b', 'button-secondaryHoverBackground': '#cccccc',
      'input-background': '#ffffff', 'input-foreground': '#3b3b3b', 'input-border': '#cecece', 'input-placeholderForeground': '#767676', 'settings-textInputBorder': '#cecece', 'dropdown-background': '#ffffff', 'dropdown-border': '#cecece', 'dropdown-foreground': '#3b3b3b', 'settings-dropdownListBorder': '#cecece',
      'checkbox-background': '#f8f8f8', 'checkbox-border': '#cecece', 'list-hoverBackground': '#f2f2f2', 'list-activeSelectionBackground': '#e8e8e8', 'list-activeSelectionForeground': '#000000', 'textLink-foreground': '#005fb8', 'textLink-activeForeground': '#005fb8',
      'editorHoverWidget-background': '#f8f8f8', 'editorHoverWidget-foreground': '#3b3b3b', 'editorHoverWidget-border': '#c8c8c8', 'progressBar-background': '#005fb8', 'panelTitle-activeBorder': '#005fb8', 'panelTitle-activeForeground': '#3b3b3b', 'panelTitle-inactiveForeground': '#3b3b3b',
      'menu-background': '#ffffff', 'menu-foreground': '#3b3b3b', 'menu-border': '#cecece', 'menu-selectionBackground': '#005fb8', 'menu-selectionForeground': '#ffffff', errorForeground: '#f85149' },
  },
  hcDark: {
    bodyClass: 'vscode-high-contrast', kind: 'vscode-high-contrast',
    variables: { ...font, foreground: '#ffffff', descriptionForeground: 'rgba(255, 255, 255, 0.7)', 'editor-background': '#000000', 'editor-foreground': '#ffffff', 'sideBar-background': '#000000', 'panel-border': '#6fc3df', contrastBorder: '#6fc3df', contrastActiveBorder: '#f38518', focusBorder: '#f38518',
      'button-background': '#000000', 'button-foreground': '#ffffff', 'button-border': '#6fc3df', 'button-secondaryBackground': '#000000', 'button-secondaryForeground': '#ffffff',
      'input-background': '#000000', 'input-foreground': '#ffffff', 'input-border': '#6fc3df', 'input-placeholderForeground': 'rgba(255, 255, 255, 0.7)', 'settings-textInputBorder': '#6fc3df', 'dropdown-background': '#000000', 'dropdown-border': '#6fc3df', 'dropdown-foreground': '#ffffff', 'settings-dropdownListBorder': '#6fc3df',
      'checkbox-background': '#000000', 'checkbox-border': '#6fc3df', 'list-hoverBackground': 'rgba(255, 255, 255, 0.1)', 'textLink-foreground': '#21a6ff', 'textLink-activeForeground': '#21a6ff', 'editorHoverWidget-background': '#0c141f', 'editorHoverWidget-foreground': '#ffffff', 'editorHoverWidget-border': '#6fc3df',
      'progressBar-background': '#6fc3df', 'panelTitle-activeBorder': '#6fc3df', 'panelTitle-activeForeground': '#ffffff', 'panelTitle-inactiveForeground': '#ffffff', 'menu-background': '#000000', 'menu-foreground': '#ffffff', 'menu-border': '#6fc3df', errorForeground: '#f48771' },
  },
  hcLight: {
    bodyClass: 'vscode-high-contrast vscode-high-contrast-light', kind: 'vscode-high-contrast-light',
    variables: { ...font, foreground: '#292929', descriptionForeground: 'rgba(41, 41, 41, 0.7)', 'editor-background': '#ffffff', 'editor-foreground': '#292929', 'sideBar-background': '#ffffff', 'panel-border': '#0f4a85', contrastBorder: '#0f4a85', contrastActiveBorder: '#006bbd', focusBorder: '#006bbd',
      'button-background': '#0f4a85', 'button-foreground': '#ffffff', 'button-hoverBackground': '#0f4a85', 'button-border': '#0f4a85', 'button-secondaryBackground': '#ffffff', 'button-secondaryForeground': '#292929',
      'input-background': '#ffffff', 'input-foreground': '#292929', 'input-border': '#0f4a85', 'input-placeholderForeground': 'rgba(41, 41, 41, 0.7)', 'settings-textInputBorder': '#0f4a85', 'dropdown-background': '#ffffff', 'dropdown-border': '#0f4a85', 'dropdown-foreground': '#292929', 'settings-dropdownListBorder': '#0f4a85',
      'checkbox-background': '#ffffff', 'checkbox-border': '#0f4a85', 'list-hoverBackground': 'rgba(15, 74, 133, 0.1)', 'textLink-foreground': '#0f4a85', 'textLink-activeForeground': '#0f4a85', 'editorHoverWidget-background': '#ffffff', 'editorHoverWidget-foreground': '#292929', 'editorHoverWidget-border': '#0f4a85',
      'progressBar-background': '#0f4a85', 'panelTitle-activeBorder': '#b5200d', 'panelTitle-activeForeground': '#292929', 'panelTitle-inactiveForeground': '#292929', 'menu-background': '#ffffff', 'menu-foreground': '#292929', 'menu-border': '#0f4a85', errorForeground: '#b5200d' },
  },
};
