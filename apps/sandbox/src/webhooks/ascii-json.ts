/** JSON as Meta writes it: every character beyond ASCII is escaped, so its bytes are the same in every encoding. */
export function asciiJson(value: unknown): Buffer {
  const json = JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(json, 'latin1');
}
