const { replaceStatement } = require('./plant.guard');

/** Loaded into a server before all else: windows of more than 40 calls are kept as counts, not only those of more than 240. */
replaceStatement(
  'libs/persistence/src/accounts/admission.statements.js',
  'const EXACT_LIMIT_MAX = 240;',
  'const EXACT_LIMIT_MAX = 40;',
);
