/** Messenger channels as requests name them; answers about leads and threads write them in upper case. */
export const CHANNELS = ['waba_coexistence', 'waba'] as const;

export type Channel = (typeof CHANNELS)[number];
