import { useEffect, useRef, useState, type ReactNode } from 'react';
import { tellFailed } from '../notices/notice.store';
import { commonWords } from '../words/common.words';

/** Puts a text into the clipboard. @returns whether the browser let it */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer it over https and on localhost only. The older way works everywhere.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'll-hidden';
  field.value = text;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

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
