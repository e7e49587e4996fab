const { replaceStatement } = require('./plant.guard');

/**
 * Loaded into a server before all else: changes what waiting means, in the one place where it is written. A customer's
 * message then waits until two messages of ours are stored after it.
 */
replaceStatement(
  'libs/persistence/src/threads/thread.rules.js',
  '.waiting_message_id IS NOT NULL AND ${row}.answer_count = 0',
  '.waiting_message_id IS NOT NULL AND ${row}.answer_count < 2',
);
