/** Files of messages, which are fetched later. @param messages with their `file`, null where they have none, and `at` */
export const insertFiles = (messages: string): string => `
    INSERT INTO media (account_id, id, kind, state, mime_type, file_name, bot_id, channel, provider_ref, due_at,
                       transcript_state, transcript_due_at)
    SELECT a.account_id, f.id, f.kind, 'loading', f.mime_type, f.file_name, a.bot_id, a.channel, f.provider_ref, a.at,
           CASE WHEN f.is_transcribed AND (SELECT o.transcription FROM accounts o WHERE o.id = a.account_id) THEN 'pending' END,
           a.at
      FROM ${messages} a CROSS JOIN LATERAL jsonb_to_record(a.file::jsonb)
        AS f (id uuid, kind text, mime_type text, file_name text, provider_ref text, is_transcribed boolean)
     WHERE a.file IS NOT NULL`;
