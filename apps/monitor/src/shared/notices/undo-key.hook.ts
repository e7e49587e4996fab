import { useEffect } from 'react';
import { isTyping } from '../keys/typing.target';
import { undoLast } from './notice.store';

/** Ctrl+Z, or Cmd+Z: the way to "Undo" by keyboard within its ten seconds. Where one types, it is the field's. */
export function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (code !== 'KeyZ' || ctrlKey === metaKey || altKey || shiftKey || isTyping(target)) return;
      if (undoLast()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
