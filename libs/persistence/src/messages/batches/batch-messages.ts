/**
 * Whether a message `m` belongs to the batch `:batchId` of the account `:accountId`. It is found by its primary key,
 * because a batch knows between which ids its messages are.
 */
export const IN_BATCH = `m.account_id = :accountId AND m.batch_id = :batchId
     AND m.id BETWEEN coalesce((SELECT first_message_id FROM batches WHERE account_id = :accountId AND id = :batchId),
                               '00000000-0000-0000-0000-000000000000')
                  AND coalesce((SELECT last_message_id FROM batches WHERE account_id = :accountId AND id = :batchId),
                               'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
