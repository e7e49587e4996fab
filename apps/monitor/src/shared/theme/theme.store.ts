import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

export const THEMES = ['auto', 'light', 'dark'] as const;

const KEY = 'leadline.theme';

const isTheme = (text: string | null): text is MantineColorScheme => THEMES.some((theme) => theme === text);

const prefersDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

function tellDocument(theme: MantineColorScheme): void {
  const isDark = theme === 'dark' || (theme === 'auto' && prefersDark());
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

/** Keeps the theme in the browser, and tells `html[data-theme]` which one is shown. */
export function themeManager(): MantineColorSchemeManager {
  let stop = (): void => undefined;
  const get = (fallback: MantineColorScheme): MantineColorScheme => {
    const kept = localStorage.getItem(KEY);
    const theme = isTheme(kept) ? kept : fallback;
    tellDocument(theme);
    return theme;
  };
  return {
    get,
    set(theme) {
      localStorage.setItem(KEY, theme);
      tellDocument(theme);
    },
    subscribe(onUpdate) {
      const media = matchMedia('(prefers-color-scheme: dark)');
      const onMedia = () => get('auto');
      const onStorage = (event: StorageEvent) => event.key === KEY && onUpdate(get('auto'));
      media.addEventListener('change', onMedia);
      addEventListener('storage', onStorage);
      stop = () => {
        media.removeEventListener('change', onMedia);
        removeEventListener('storage', onStorage);
      };
    },
    unsubscribe: () => stop(),
    clear: () => localStorage.removeItem(KEY),
  };
}
