import { useEffect } from 'react';

const PRODUCT = 'Leadline';

let shown = '';
let number = 0;

const write = (): void => {
  document.title = number === 0 ? shown : `(${number}) ${shown}`;
};

/** Puts a number before the title of every page; none for zero. */
export function countInTitle(count: number): void {
  number = count;
  write();
}

/**
 * Names the page in its tab. Never by a customer: the browser's history keeps titles after the sign-out.
 * @param names the narrowest first
 */
export function usePageTitle(...names: readonly (string | undefined)[]): void {
  const given = names.filter((name) => name !== undefined && name !== '');
  const title = (given.some((name) => name?.includes(PRODUCT)) ? given : [...given, PRODUCT]).join(' · ');
  useEffect(() => {
    shown = title;
    write();
  }, [title]);
}
