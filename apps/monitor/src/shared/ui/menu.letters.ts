import type { KeyboardEvent } from 'react';

/** A letter takes the focus of an open menu to its next item that begins with it, as menus of operating systems do. */
export function focusByLetter(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (ctrlKey || metaKey || altKey || !/^[\p{L}\p{N}]$/u.test(key)) return;
  // The page behind has letters of its own.
  event.stopPropagation();
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const present = items.findIndex((item) => item === document.activeElement);
  const letter = key.toLocaleLowerCase();
  [...items.slice(present + 1), ...items.slice(0, present + 1)]
    .find((item) => item.textContent.trim().toLocaleLowerCase().startsWith(letter))
    ?.focus();
}
