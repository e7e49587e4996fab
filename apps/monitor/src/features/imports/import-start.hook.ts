import type { Channel } from '@app/contracts/message.words';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../shared/api/page-api';
import { isolated } from '../../shared/format/direction.format';
import { tellDone, tellError, tellFailed } from '../../shared/notices/notice.store';
import { session } from '../../shared/session/session.store';
import { refusalOf, refusalInWords, type FileRefusal } from './faults.format';
import { importsWords } from './imports.words';

/** What is imported, and where to. */
interface GivenImport {
  file: File;
  assistantId: string;
  botId: string;
  channel: Channel;
  startScenarios: boolean;
  /** Null: the service finds it. */
  encoding: EncodingChoice | null;
}

/** The file of the check that this tab has begun. It is gone with the tab, or at the next check. */
let checked: { importId: string; given: GivenImport } | null = null;

const keepChecked = (importId: string, given: GivenImport): void => {
  checked = { importId, given };
};

/** What a check was of. Null: another tab has begun it, or the page was loaded anew. */
export const givenOf = (importId: string): GivenImport | null =>
  checked?.importId === importId ? checked.given : null;

/** Has a file taken in, or only checked. @returns the import's id */
async function sendImport(given: GivenImport, isCheck: boolean): Promise<string> {
  const body = new FormData();
  body.set('assistant_id', given.assistantId);
  body.set('bot_id', given.botId);
  body.set('channel', given.channel);
  body.set('dry_run', String(isCheck));
  body.set('start_scenarios', String(given.startScenarios));
  if (given.encoding !== null) body.set('encoding', given.encoding);
  body.set('file', given.file, given.file.name);
  const { import_id } = await api.post('/api/v1/leads/import', { body });
  return import_id;
}

interface Starting {
  isBusy: boolean;
  /**
   * Has a file checked, or taken in, and leads there once the service has it. Whoever is on another page by then is not called
   * back, but told. What fails is told, too.
   * @returns why the file cannot be used, where the person still sees it; else null
   */
  start: (given: GivenImport, isCheck: boolean) => Promise<FileRefusal | null>;
}

/** For the buttons that begin an import. */
export function useImportStart(): Starting {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const start: Starting['start'] = async (given, isCheck) => {
    const t = importsWords.say;
    const here = router.latestLocation.href;
    const isHere = (): boolean => router.latestLocation.href === here;
    const who = session.state().signedIn?.user.id;
    /** Whoever signs in next hears nothing of it. */
    const isGone = (): boolean => session.state().signedIn?.user.id !== who;
    setBusy(true);
    try {
      const id = await sendImport(given, isCheck);
      if (isGone()) return null;
      if (isCheck) keepChecked(id, given);
      const show = (): void => void router.navigate({ to: '/import', search: { id } });
      if (isHere()) show();
      else
        tellDone(t(isCheck ? 'checking' : 'running'), {
          ...{ detail: isolated(given.file.name), action: { label: t('show'), run: show } },
          // It leads there, so it stays until it is followed or closed.
          lastsMs: undefined,
        });
      return null;
    } catch (error) {
      if (isGone()) return null;
      const refusal = refusalOf(error);
      if (refusal !== null && isHere()) return refusal;
      if (refusal === null) tellError(error);
      else
        tellFailed(`${t('fileRefused')} ${refusalInWords(refusal) ?? refusal.message}`, {
          detail: isolated(given.file.name),
        });
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, start };
}
