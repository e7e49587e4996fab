import { Button, Stack, Text } from '@mantine/core';
import { use, useReducer, type ComponentType, useEffect } from 'react';
import { dismiss, tellFailed } from '../notices/notice.store';
import { commonWords } from '../words/common.words';

/** When the page is used already, and has time. */
const BEGIN_AFTER_MS = 10_000;
const TRY_AGAIN_AFTER_MS = 30_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let hasBegun = false;
/** No part needs the network any more. */
let areHere = false;

/**
 * Has the browser keep the code of all parts, one file after the other: without a connection they open all the same,
 * and after an upgrade of the service too, which may have no files of former versions.
 */
export async function keepParts(): Promise<void> {
  if (hasBegun || isSavingData()) return;
  hasBegun = true;
  await pause(BEGIN_AFTER_MS);
  const list = document.querySelector<HTMLMetaElement>('meta[name="parts"]')?.content;
  if (list === undefined) return;
  const files = (await (await fetched(list)).json()) as string[];
  const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  // The browser keeps what it has read to its end.
  for (const file of files) if (!loaded.has(file)) await (await fetched(file)).blob();
  areHere = true;
}

/** As soon as there is a connection. */
async function fetched(file: string): Promise<Response> {
  for (;;) {
    try {
      const response = await fetch(file, { priority: 'low' });
      if (response.ok) return response;
    } catch {
      // Without a connection.
    }
    await pause(TRY_AGAIN_AFTER_MS);
  }
}

/** The person has asked the browser to save data. */
function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

const LOOK_EVERY_MS = 500;

interface PartMissingProps {
  isWindow: boolean;
  /** It comes with the connection; else only by loading the page anew. */
  isAwaited: boolean;
  isOffline: () => boolean;
  onBack: () => void;
}

/** In place of a part whose code is not there. */
function PartMissing({ isWindow, isAwaited, isOffline, onBack }: PartMissingProps) {
  const t = commonWords.use();
  const words = isAwaited ? t('partAwaited') : t('partNotLoaded');
  const hint = isAwaited ? t('partAwaitedHint') : t('partNotLoadedHint');
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => !isOffline() && onBack(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAwaited, isOffline, onBack]);
  useEffect(() => {
    if (!isWindow) return;
    const notice = tellFailed(words, { detail: hint });
    return () => dismiss(notice);
  }, [isWindow, words, hint]);
  if (isWindow) return null;
  return (
    <Stack gap={8} p="xl" align="center" role="alert">
      <Text fw={600} ta="center">
        {words}
      </Text>
      <Text size="sm" ta="center" maw={420}>
        {hint}
      </Text>
      {!isAwaited && (
        <Button variant="light" size="xs" onClick={() => location.reload()}>
          {t('loadAnew')}
        </Button>
      )}
    </Stack>
  );
}

/**
 * A part whose code is fetched when it is first shown, within a Suspense. Without a connection it waits for one; what
 * cannot be fetched says so. The rest of the page stays as it is.
 * @param isWindow it lies over the page: what is missing is said in a notice
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isWindow = false }: { isWindow?: boolean } = {},
) {
  let View: ComponentType<Props> | undefined;
  let hasFailed = false;
  let fetching: Promise<void> | undefined;

  async function fetchPart(): Promise<void> {
    // A browser that has failed to fetch code once never tries again.
    if (View || hasFailed || isOffline()) return;
    try {
      View = await load();
    } catch {
      hasFailed = true;
    }
  }
  const fetchOnce = () => (fetching ??= fetchPart().finally(() => (fetching = undefined)));

  function Part(props: Props) {
    const [, drawAgain] = useReducer((count: number) => count + 1, 0);
    if (!View && !hasFailed && !isOffline()) use(fetchOnce());
    if (View) return <View {...props} />;
    return (
      <PartMissing isWindow={isWindow} isAwaited={!hasFailed} isOffline={isOffline} onBack={drawAgain} />
    );
  }
  /** For the router, which has the code fetched while it goes there. */
  Part.preload = fetchOnce;
  return Part;
}

const isOffline = (): boolean =>
  !areHere && (!navigator.onLine || document.body.dataset.connection === 'offline');
