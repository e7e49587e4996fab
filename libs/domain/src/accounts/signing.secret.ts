import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** For so many hours the former secret signs too, unless told otherwise. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 168;

/** By Standard Webhooks: a prefix and 24 to 64 random bytes in Base64. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
