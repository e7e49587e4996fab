/**
 * The messages `m` of a batch, found by their primary key, because the batch knows the range of their ids. $1 account
 * $2 batch
 */
export const IN_BATCH = `m.account_id = $1 AND m.batch_id = $2
     AND m.id BETWEEN coalesce((SELECT first_message_id FROM batches WHERE account_id = $1 AND id = $2),
                               '00000000-0000-0000-0000-000000000000')
                  AND coalesce((SELECT last_message_id FROM batches WHERE account_id = $1 AND id = $2),
                               'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
