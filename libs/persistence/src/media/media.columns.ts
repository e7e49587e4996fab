import type { MediaEntity } from './media.entity';

/** A file as messages show it. */
export type MediaRow = Pick<
  MediaEntity,
  'id' | 'kind' | 'mime_type' | 'file_name' | 'size' | 'width' | 'height' | 'seconds' | 'sha256' | 'state'
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
] as const satisfies readonly (keyof MediaRow)[];

/** The columns of {@link MediaRow}. */
export const mediaColumns = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/** {@link MediaRow} of the file that a row of messages names, as jsonb; null where it has none. */
export const mediaOf = (message: string): string => `CASE WHEN ${message}.media_id IS NOT NULL THEN (
         SELECT jsonb_build_object(${COLUMNS.map((column) => `'${column}', x.${column}`).join(', ')})
           FROM media x WHERE x.account_id = ${message}.account_id AND x.id = ${message}.media_id) END`;
