import { useEffect, useRef } from 'react';
import { areSingleKeysOn } from './single-keys.store';
import { isComposing, isCovered, isTyping } from './typing-target';

/** By the place of the key on the keyboard (`KeyM`, `Slash`), whatever the layout writes there; `Shift+` before it. */
type KeyPlace = string;

/** An action that answers false had nothing to do: another part of the page may have the key. */
export type KeyActions = Record<KeyPlace, (event: KeyboardEvent) => unknown>;

/** What a key that is held down does again and again. Everything else is done once. */
const REPEATED: ReadonlySet<KeyPlace> = new Set(['KeyJ', 'KeyK']);

/** What single keys do while this is shown. None of them counts while somebody types, or where they are switched off. */
export function useSingleKeyActions(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing(event))
        return;
      if (event.repeat && !REPEATED.has(event.code)) return;
      if (isTyping(event.target) || isCovered() || !areSingleKeysOn()) return;
      const act = latest.current[`${event.shiftKey ? 'Shift+' : ''}${event.code}`];
      if (act && act(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
