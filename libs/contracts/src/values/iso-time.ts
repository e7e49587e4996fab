/** The database keeps time in microseconds; the API gives milliseconds. */
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
