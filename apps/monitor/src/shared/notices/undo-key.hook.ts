import { useEffect } from 'react';
import { isCovered, isTyping } from '../keys/typing.target';
import { undoLast } from './notice.store';

/** Ctrl+Z or Cmd+Z presses the last "Undo" while that is shown. In a field it undoes what was typed there. */
export function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event;
      if (code !== 'KeyZ' || ctrlKey === metaKey || altKey || shiftKey || isTyping(target)) return;
      if (repeat || isCovered()) return;
      if (undoLast()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
