import type { MediaSettings } from '@app/config/settings-config';
import type { MediaStore } from '@app/domain/media/media-store.port';
import { DiskMediaStore } from './disk-media.store';
import { S3MediaStore } from './s3-media.store';

export const mediaStoreOf = ({ folder, s3 }: MediaSettings): MediaStore =>
  s3 ? new S3MediaStore(s3, folder) : new DiskMediaStore(folder);
