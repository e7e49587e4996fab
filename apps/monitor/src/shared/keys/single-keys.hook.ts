import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Whether keys that are pressed there type something. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'));

/** Something that covers the page has the keys for itself. */
export const isCovered = (): boolean =>
  document.querySelector('[role=dialog][aria-modal=true], [role=menu]') !== null;

/** Whether an input method has the key. Safari says of the Enter that ends a composition that none is under way. */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean =>
  composes || keyCode === 229;

const KEY = 'leadline.single-keys';
const listeners = new Set<() => void>();

/** Whether single keys, such as M and J, do something. WCAG 2.1.4 wants that they can be switched off. */
const areSingleKeysOn = (): boolean => localStorage.getItem(KEY) !== 'off';

/** It holds in this browser, whoever signs in. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
  for (const listener of listeners) listener();
}

/** {@link areSingleKeysOn}, in a component. */
export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    // Switched in another tab.
    addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('storage', listener);
    };
  }, areSingleKeysOn);

/** By the place of the key on the keyboard (`KeyM`, `Slash`), whatever the layout writes there; `Shift+` before it. */
type KeyPlace = string;

/** An action that answers false had nothing to do: another part of the page may have the key. */
type KeyActions = Record<KeyPlace, (event: KeyboardEvent) => unknown>;

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
