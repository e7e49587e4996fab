import { jobConnection } from '@app/persistence/database/job.connection';
import { migrationConnection } from '@app/persistence/database/migration.runner';

/** How an adapter of the queue connects: it knows nothing of our limits, and they hold for it, too. */
export const queueConnection = jobConnection;

/** How it connects once, to make what it keeps: that may take longer. */
export const queueSchemaConnection = migrationConnection;
