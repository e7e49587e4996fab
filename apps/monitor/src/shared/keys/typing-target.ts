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
