import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mediaSettingsOf, processVariables } from '@app/config/settings-config';
import { backUp } from '@app/domain/backup/backup.service';
import { BackupFileWriter } from '@app/integrations/backup/backup-file';
import { MediaFolderSource } from '@app/integrations/backup/media-files';
import { runCommand, ProgressLine, sizeOf } from './command-process';

/** The version of package.json, found from this file, wherever the process was started. */
function productVersion(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

async function back(databaseUrl: string, path: string, withoutFiles: boolean): Promise<void> {
  const media = mediaSettingsOf(processVariables());
  const files = withoutFiles || media.s3 ? null : new MediaFolderSource(media.folder);
  const line = new ProgressLine();
  const file = await BackupFileWriter.create(path);
  const end = (): void => void file.abandon().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const written = await backUp(databaseUrl, productVersion(), file, files, (what, bytes) =>
    line.show(`${what}: ${sizeOf(bytes)} read`),
  ).finally(() => line.clear());
  const kept = files ? `${written.files} files of ${media.folder}` : 'no files';
  console.log(
    `Wrote ${path} (${sizeOf(written.bytes)}): ${written.rows} rows and ${kept}, as of ${written.at.toISOString()}.`,
  );
  if (media.s3 && !withoutFiles)
    console.log(
      `Files of customers are in the bucket ${media.s3.bucket} and stay there: back it up besides.`,
    );
}

/** `npm run backup -- --out leadline.backup` */
void runCommand({
  usage: 'Usage: npm run backup -- --out leadline.backup [--without-files]   (with the -- first)',
  purpose:
    'Writes the database that DATABASE_URL names and the folder of files (MEDIA_DIR) into one file, while Leadline runs. Secrets of the environment are not in it: keep them apart.',
  options: { out: { type: 'string' }, 'without-files': { type: 'boolean' } },
  accepts: ({ out }) => typeof out === 'string' && out !== '',
  act: (databaseUrl, { out, 'without-files': withoutFiles }) =>
    back(databaseUrl, String(out), withoutFiles === true),
});
