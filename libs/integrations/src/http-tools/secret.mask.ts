const MASK = '***';
/** Shorter values, such as "1" or "Bearer", are no secrets and occur in many texts. */
const SHORTEST_VALUE = 6;
const SHORTEST_WORD = 8;
/** Shortest beginning of a secret that is masked at the end of a text that was cut. */
const SHORTEST_PIECE = 6;

/** A header's value, its words, and the forms in which an answer may repeat them, the longest first. */
function formsOf(values: readonly string[]): string[] {
  const secrets = values.flatMap((value) => [
    ...(value.length >= SHORTEST_VALUE ? [value] : []),
    ...value.split(/[\s,;=]+/).filter((word) => word.length >= SHORTEST_WORD),
  ]);
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('/', '\\/'),
  ]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/**
 * Masks values of the request's headers that an answer repeats.
 * @param isCut whether the text was cut: its end may be the beginning of a secret
 */
export function masked(text: string, values: readonly string[], isCut: boolean): string {
  let clean = text;
  const forms = formsOf(values);
  for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
  if (!isCut) return clean;
  for (const form of forms) {
    for (let length = form.length - 1; length >= SHORTEST_PIECE; length -= 1) {
      if (clean.endsWith(form.slice(0, length))) return clean.slice(0, -length) + MASK;
    }
  }
  return clean;
}
