import { mediaSettingsOf, processVariables } from '@app/config/settings-config';
import { restore } from '@app/domain/backup/restore.service';
import { createMissingDatabase } from '@app/domain/schema/schema.service';
import { BackupFileReader } from '@app/integrations/backup/backup-file';
import { MediaFolderTarget } from '@app/integrations/backup/media-files';
import { runCommand, ProgressLine, sizeOf } from './command-process';

interface Options {
  path: string;
  folder: string | null;
  creates: boolean;
}

async function bringBack(databaseUrl: string, { path, folder, creates }: Options): Promise<void> {
  const line = new ProgressLine();
  const file = await BackupFileReader.open(path, (bytes, of) =>
    line.show(`checking ${path}: ${Math.floor((100 * bytes) / of)}%`),
  ).finally(() => line.clear());
  if (creates) await createMissingDatabase(databaseUrl);
  const files = folder === null ? null : new MediaFolderTarget(folder);
  const restored = await restore(databaseUrl, file, files, (what, bytes) =>
    line.show(`${what}: ${sizeOf(bytes)} restored`),
  ).finally(() => line.clear());
  const { rows, version, at } = restored;
  const kept = folder === null ? 'no files' : `${restored.files} files into ${folder}`;
  console.log(`Restored ${rows} rows and ${kept}, as of ${at}, from a backup of Leadline ${version}.`);
  for (const table of restored.leftOut) console.log(`Left out: the table ${table} is none of Leadline's.`);
  for (const warning of restored.warnings) console.error(warning);
  console.log(AGAIN_GOOD);
  console.log('Sending is held: nothing goes out until npm run db:resume-sending.');
}

const AGAIN_GOOD =
  'All sessions have ended, and links of invitations are void. Keys and people are as of then: revoke and disable again what was since.';

/** `npm run restore -- --from leadline.backup` */
void runCommand({
  usage:
    'Usage: npm run restore -- --from leadline.backup [--create] [--media FOLDER | --without-files]   (with the -- first)',
  purpose:
    'Fills the empty database that DATABASE_URL names, and the empty folder of files (MEDIA_DIR, or --media), from a backup. With --create it makes the database where there is none. Nothing is sent from it until npm run db:resume-sending.',
  options: {
    from: { type: 'string' },
    create: { type: 'boolean' },
    media: { type: 'string' },
    'without-files': { type: 'boolean' },
  },
  accepts: ({ from, media, 'without-files': withoutFiles }) =>
    typeof from === 'string' &&
    from !== '' &&
    media !== '' &&
    !(media !== undefined && withoutFiles === true),
  act: (databaseUrl, { from, create, media, 'without-files': withoutFiles }) => {
    const settings = mediaSettingsOf(processVariables());
    const usual = settings.s3 ? null : settings.folder;
    const folder = withoutFiles === true ? null : typeof media === 'string' ? media : usual;
    return bringBack(databaseUrl, { path: String(from), folder, creates: create === true });
  },
});
