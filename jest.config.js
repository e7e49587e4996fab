const { readFileSync } = require('node:fs');

const { jsc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));
const { baseUrl: _baseUrl, paths, ...compiler } = jsc;
const pageCompiler = {
  ...compiler,
  parser: { ...compiler.parser, tsx: true },
  transform: { react: { runtime: 'automatic' } },
};

/** `npm run test:unit` runs the tests that need neither a build nor a database. */
const isUnitOnly = process.env.LEADLINE_UNIT === '1';

/** @type {import('jest').Config} */
module.exports = {
  rootDir: '.',
  testEnvironment: isUnitOnly ? 'node' : '<rootDir>/test/support/worker/worker.environment.js',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.{ts,tsx}'],
  // `npm run test:all` runs these too.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.LEADLINE_LONG ? [] : ['<rootDir>/test/all/']),
    ...(isUnitOnly ? ['\\.(db|e2e)\\.spec\\.ts$'] : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: compiler, module: { type: 'commonjs' }, swcrc: false }],
    '^.+\\.tsx$': ['@swc/jest', { jsc: pageCompiler, module: { type: 'commonjs' }, swcrc: false }],
    '\\.(css|svg)$': '<rootDir>/apps/monitor/testing/style.transform.js',
  },
  // The aliases are written once, in .swcrc; a test keeps tsconfig.json equal to them.
  moduleNameMapper: Object.fromEntries(
    Object.entries(paths).map(([alias, [target]]) => [
      `^${alias.replace('*', '(.*)')}$`,
      `<rootDir>/${target.replace('*', '$1')}`,
    ]),
  ),
  ...(isUnitOnly
    ? {}
    : {
        globalSetup: '<rootDir>/test/support/database/cluster.setup.js',
        globalTeardown: '<rootDir>/test/support/database/cluster.teardown.js',
      }),
  reporters: ['default', '<rootDir>/test/support/closing-line.reporter.js'],
  setupFilesAfterEnv: ['<rootDir>/test/support/retry.setup.js'],
  testSequencer: '<rootDir>/test/support/longest-first.sequencer.js',
  // For two cores: with four, a tenth of their time is waiting.
  maxWorkers: 5,
  // What files of tests have loaded stays in a worker until it ends. The more it holds, the dearer is each start of a server.
  workerIdleMemoryLimit: '1GB',
  // When a test hangs, and no promise of the product: a busy machine is three times as slow.
  testTimeout: process.env.LEADLINE_LONG ? 1_800_000 : 300_000,
};
