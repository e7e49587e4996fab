import { useEffect } from 'react';

const PRODUCT = 'Leadline';

/**
 * Names the page in its tab. Never by a customer: the browser's history keeps titles after the sign-out.
 * @param names the narrowest first
 */
export function usePageTitle(...names: readonly (string | undefined)[]): void {
  const given = names.filter((name) => name !== undefined && name !== '');
  const title = (given.some((name) => name?.includes(PRODUCT)) ? given : [...given, PRODUCT]).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
