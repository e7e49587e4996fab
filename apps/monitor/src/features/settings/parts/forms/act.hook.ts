import { useRef, useState } from 'react';
import { dismiss, tellDone, tellError } from '../../../../shared/notices/notice.store';
import { NotConfirmedError } from '../../../../shared/ui/confirmation.store';

interface Acting {
  isBusy: boolean;
  /**
   * Does it, and tells that it is done or why it failed.
   * @returns the answer; null where it failed.
   */
  act: <Result>(
    call: () => Promise<Result>,
    done?: string | ((result: Result) => string),
  ) => Promise<Result | null>;
}

/** For what a button does at once, other than saving a form. */
export function useAct(): Acting {
  const [isBusy, setBusy] = useState(false);
  /** The notice of the last try. The next one tells its own. */
  const failure = useRef<number | null>(null);
  const act: Acting['act'] = async (call, done) => {
    setBusy(true);
    if (failure.current !== null) dismiss(failure.current);
    failure.current = null;
    try {
      const result = await call();
      if (done !== undefined) tellDone(typeof done === 'string' ? done : done(result));
      return result;
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) failure.current = tellError(error);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}
