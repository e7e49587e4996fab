import type { FocusEvent } from 'react';

/**
 * Moves the mark of what is focused first to what has the focus. Mantine focuses that in timers, and again when a menu
 * is placed anew: whoever was quicker with a key would be taken back.
 */
export function moveFirstFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  for (const item of currentTarget.querySelectorAll('[data-autofocus]'))
    item.removeAttribute('data-autofocus');
  target.setAttribute('data-autofocus', 'true');
}
