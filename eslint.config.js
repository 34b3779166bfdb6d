import tseslint from 'typescript-eslint';

const noVscode = { name: 'vscode', message: 'Only src/extension may know the editor.' };
const noSpawn = ['child_process', 'node:child_process', 'cluster', 'node:cluster'].map((name) => ({
  name,
  message: 'Only src/engine/supervise starts processes.',
}));
const layer = (message, ...group) => ({ group, message });

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '**/node_modules/**',
      'vendor/**',
      'out/**',
      'samples/java/**',
      'samples/lab/java/**',
      'src/probe/jvm/**',
      '.cache/**',
      'webview/tmp/**',
      'test/fixtures/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.ts', 'webview/**/*.ts', 'test/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
      'no-eval': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Name what you export.' },
        { selector: 'ExportAllDeclaration', message: 'No barrel files: import from where it is defined.' },
        {
          selector: 'AssignmentExpression > MemberExpression[property.name=/^(inner|outer)HTML$/]',
          message: 'Text goes in by textContent.',
        },
        { selector: 'CallExpression > MemberExpression[property.name="insertAdjacentHTML"]', message: 'Text goes in by textContent.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [noVscode, ...noSpawn] }] },
  },
  {
    files: ['src/extension/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: noSpawn, patterns: [layer('The extension does not reach into the panels.', '**/webview/**')] },
      ],
    },
  },
  { files: ['src/engine/supervise/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: [noVscode] }] } },
  {
    files: ['src/model/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noVscode, ...noSpawn],
          patterns: [layer('The model imports nobody.', '**/engine/**', '**/cli/**', '**/extension/**', '**/webview/**', 'node:*')],
        },
      ],
    },
  },
  {
    files: ['src/engine/**/*.ts'],
    ignores: ['src/engine/supervise/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noVscode, ...noSpawn],
          patterns: [layer('The engine knows neither terminal nor editor.', '**/cli/**', '**/extension/**', '**/webview/**')],
        },
      ],
    },
  },
  {
    files: ['src/cli/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [noVscode, ...noSpawn], patterns: [layer('The terminal does not know the editor.', '**/extension/**', '**/webview/**')] },
      ],
    },
  },
  {
    files: ['webview/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noVscode, ...noSpawn],
          patterns: [layer('A panel knows the model and nothing else.', '**/engine/**', '**/cli/**', '**/extension/**', 'node:*')],
        },
      ],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['vitest.config.ts', 'eslint.config.js', '**/*.d.ts', 'test/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
