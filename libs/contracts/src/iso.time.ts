/** Time stands still in the database's microseconds; the outside gets milliseconds. */
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
