import { useEffect, useRef, useState, type ReactNode } from 'react';
import { tellFailed } from '../notices/notice.store';
import { commonWords } from '../words/common.words';
import { copyText } from './clipboard.call';

const SAID_MS = 3_000;

interface Props {
  text: string;
  children: (copying: {
    /** For a moment after it was copied. */
    isCopied: boolean;
    copy: () => void;
  }) => ReactNode;
  onCopied?: () => void;
}

/** Around a button that copies a text, over plain http too. The person is told where the browser refuses. */
export function Copying({ text, children, onCopied }: Props) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    const isDone = await copyText(text);
    clearTimeout(timer.current);
    setCopied(isDone);
    if (!isDone) {
      tellFailed(commonWords.say('notCopied'));
      return;
    }
    timer.current = setTimeout(() => setCopied(false), SAID_MS);
    onCopied?.();
  };
  return children({ isCopied, copy: () => void copy() });
}
