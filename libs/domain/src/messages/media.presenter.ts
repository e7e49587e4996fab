import type { Media } from '@app/contracts/media.words';
import type { MediaRow } from '@app/persistence/media/media.columns';

export const presentMedia = (row: MediaRow | null): Media | null =>
  row && { ...row, url: `/api/v1/messages/media/${row.id}` };
