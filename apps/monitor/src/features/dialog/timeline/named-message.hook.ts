import { useLocation } from '@tanstack/react-router';

const NAMED = /^#?message-([\w-]+)$/;

/** `#message-<id>`: the message at which a dialog opens. */
export const namedMessage = (): string | null => NAMED.exec(location.hash)?.[1] ?? null;

/** The same, as the address changes. */
export const useNamedMessage = (): string | null =>
  useLocation({ select: ({ hash }) => NAMED.exec(hash)?.[1] ?? null });
