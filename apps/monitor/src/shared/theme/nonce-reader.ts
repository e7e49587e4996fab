import { setNonce } from 'get-nonce';

/** The nonce of this answer, with which styles that libraries write are let in. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// For the scroll lock of modals, which another package writes.
setNonce(styleNonce);
