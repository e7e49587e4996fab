import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** By Standard Webhooks: a prefix and 24 to 64 random bytes in Base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
