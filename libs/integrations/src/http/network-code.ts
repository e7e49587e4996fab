/** The code of what the network threw, in brackets; empty where there is none. Its message names addresses, so it is not shown. */
export function networkCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
}

/** Statuses below 500 for a temporary condition, not a wrong request. */
export const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);
