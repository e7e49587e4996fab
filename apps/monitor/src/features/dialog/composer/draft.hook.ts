import { useCallback, useEffect, useRef, useState } from 'react';
import { drafts } from '../../../shared/drafts/draft.store';

export interface Draft {
  text: string;
  /** What is kept now, whatever was drawn. */
  read: () => string;
  write: (text: string) => void;
}

/** What is typed and not sent, in this tab and the others. @param place the dialog, or another place to type */
export function useDraft(place: string): Draft {
  const [text, setText] = useState(() => drafts.read(place));
  const latest = useRef(text);
  useEffect(() => {
    const take = (typed: string): void => {
      latest.current = typed;
      setText(typed);
    };
    take(drafts.read(place));
    return drafts.onForeign(place, take);
  }, [place]);
  const write = useCallback(
    (typed: string) => {
      latest.current = typed;
      drafts.keep(place, typed);
      setText(typed);
    },
    [place],
  );
  return { text, read: () => latest.current, write };
}
