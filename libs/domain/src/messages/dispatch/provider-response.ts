/** The provider's answer as it was stored: JSON text, or null. */
export const providerResponseOf = (kept: string | null): unknown =>
  kept === null ? null : (JSON.parse(kept) as unknown);
