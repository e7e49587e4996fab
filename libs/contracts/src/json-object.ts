/** An object of JSON, unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object, and no array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
