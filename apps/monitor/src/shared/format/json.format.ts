/** Signs that turn what stands around them. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON with a field a line, in which a text that would turn the others about shows how it does. */
export const readableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    TURNING,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
