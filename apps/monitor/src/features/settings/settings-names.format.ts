/** By their place in the address, in the order of the list. */
export const PAGES = [
  'assistants',
  'stages',
  'scenarios',
  'bots',
  'templates',
  'keys',
  'users',
  'webhooks',
  'audit',
  'work',
] as const;

export type SettingsPageName = (typeof PAGES)[number];

/** What operators may open, to read. The rest is for admins. */
export const READABLE: ReadonlySet<SettingsPageName> = new Set(['stages', 'scenarios', 'templates']);

export const isSettingsPage = (name: string): name is SettingsPageName => PAGES.some((page) => page === name);
