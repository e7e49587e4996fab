import type { MediaEntity } from './media.entity';

/** A file as messages show it. */
export type MediaRow = Pick<
  MediaEntity,
  | 'id'
  | 'kind'
  | 'mime_type'
  | 'file_name'
  | 'size'
  | 'width'
  | 'height'
  | 'seconds'
  | 'sha256'
  | 'state'
  | 'transcript_state'
  | 'transcript_text'
  | 'transcript_language'
>;

const COLUMNS = [
  ...([
    'id',
    'kind',
    'mime_type',
    'file_name',
    'size',
    'width',
    'height',
    'seconds',
    'sha256',
    'state',
  ] as const),
  ...(['transcript_state', 'transcript_text', 'transcript_language'] as const),
] as const satisfies readonly (keyof MediaRow)[];

/** The columns of {@link MediaRow}. */
export const mediaColumns = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/** {@link MediaRow} of the file that a row of messages names, as jsonb; null where it has none. */
export const mediaOf = (message: string): string => `CASE WHEN ${message}.media_id IS NOT NULL THEN (
         SELECT jsonb_build_object(${COLUMNS.map((column) => `'${column}', x.${column}`).join(', ')})
           FROM media x WHERE x.account_id = ${message}.account_id AND x.id = ${message}.media_id) END`;

/** What is said in the audio that a row of messages names; null where nobody may know it any more, or it has none. */
export const transcriptOf = (
  message: string,
): string => `CASE WHEN ${message}.media_id IS NOT NULL AND ${message}.deleted_at IS NULL THEN (
         SELECT x.transcript_text FROM media x WHERE x.account_id = ${message}.account_id AND x.id = ${message}.media_id) END`;
