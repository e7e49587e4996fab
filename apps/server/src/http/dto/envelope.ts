/** The envelope of a success. */
export interface Envelope<T> {
  ok: true;
  data: T;
}

export const ok = <T>(data: T): Envelope<T> => ({ ok: true, data });
