import tseslint from 'typescript-eslint';

// Who may import whom is said and checked in one place: test/unit/architecture.test.ts.
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
    files: ['src/engine/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'It keeps a pool for each port that was ever asked; ask with node:http and agent: false.' },
      ],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['vitest.config.ts', 'eslint.config.js', '**/*.d.ts', 'test/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
