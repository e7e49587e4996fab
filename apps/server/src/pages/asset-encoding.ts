/** The forms of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A file as it is will do unless the header says otherwise, but anything that it names is better. */
const UNNAMED = 0.0001;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** How much a caller likes each coding, by lower-case name. One with a broken weight is not wanted. */
function weightsOf(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...rest] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = rest.length === 0 ? '1' : (WEIGHT.exec(rest[0] ?? '')?.[1] ?? '0');
      return [name, Number(weight)];
    }),
  );
}

/**
 * The form to send of those that there are: the best liked, and of equally liked ones the smallest. Express would take
 * the one that the header names first, and browsers name gzip before brotli.
 * @param header Accept-Encoding; a caller that takes none of the forms gets the file as it is
 */
export function encodingFor(header: string | undefined, available: readonly Encoding[]): Encoding {
  if (header === undefined) return 'identity';
  const weights = weightsOf(header);
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? UNNAMED : 0);
  const [best] = ENCODINGS.filter((encoding) => available.includes(encoding) && weightOf(encoding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  );
  return best ?? 'identity';
}
