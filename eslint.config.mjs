import tseslint from 'typescript-eslint';

/** Lint is for mistakes; the formatter has the style. */
export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.data', '**/*.js', '**/*.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './apps/monitor/tsconfig.json', './examples/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // An injected class imported as a type compiles to the metadata Object: injection then fails at the start only.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment in libs/config only.' },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['apps/server/**'],
    ignores: ['apps/server/src/docs/openapi.document.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: '@nestjs/swagger',
          message: 'Use http/openapi.decorators: a start need not load the library.',
          allowTypeImports: true,
        },
      ],
    },
  },
  {
    files: ['apps/monitor/**'],
    rules: {
      // Handlers of events may be asynchronous where they answer for their own failures.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  // Programs of others: the environment is theirs, and the terminal.
  { files: ['examples/**'], rules: { 'no-restricted-properties': 'off', 'no-console': 'off' } },
  // Callers have settings of their own: libs/config has those of the service.
  {
    files: ['libs/config/**', 'apps/cli/src/cli.environment.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['apps/*/src/main.ts', '**/*.process.ts', 'test/**', '**/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/**', '**/*.spec.ts'],
    rules: { 'no-restricted-properties': 'off', '@typescript-eslint/no-explicit-any': 'off' },
  },
);
