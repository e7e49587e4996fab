import { use, useReducer, type ComponentType } from 'react';
import { arePartsHere } from './part-files';
import { PartMissing } from './part-missing.view';

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
  !arePartsHere() && (!navigator.onLine || document.body.dataset.connection === 'offline');
