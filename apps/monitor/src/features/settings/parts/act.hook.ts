import { useState } from 'react';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { NotConfirmedError } from '../../../shared/ui/confirmation.store';

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
  const act: Acting['act'] = async (call, done) => {
    setBusy(true);
    try {
      const result = await call();
      if (done !== undefined) tellDone(typeof done === 'string' ? done : done(result));
      return result;
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) tellError(error);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}
