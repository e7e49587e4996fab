import { queueSchemaConnection } from '@app/domain/jobs/job.connections';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { prepareQueue } from '@app/integrations/queue/queue.schema';

/**
 * Brings all that the database keeps up to date, our tables and the queue's; processes that start at once wait for
 * one another.
 * @returns the names of the migrations that this call ran.
 */
export async function prepareDatabase(databaseUrl: string): Promise<string[]> {
  const ran = await bringSchemaUpToDate(databaseUrl);
  await prepareQueue(queueSchemaConnection(databaseUrl));
  return ran;
}
