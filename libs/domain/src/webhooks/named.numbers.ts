/** What a body names, as far as anybody can tell who does not know yet who wrote it. */
export interface NamedNumbers {
  /** Cloud API's phone_number_id. */
  senders: ReadonlySet<string>;
  /** What may be the id of a business account: of an entry, or of whatever else has one of digits. */
  businesses: ReadonlySet<string>;
}

/** Meta puts at most a thousand changes into a body. */
const NAMES_MAX = 1_000;
/** Strangers may send a quarter of a million, whose reading would take a tenth of a second (measured). */
const READ_MAX = 10_000;
/** In a text of a customer a quotation mark would be escaped. */
const NAME = /"(phone_number_id|waba_id|id)"\s{0,9}:\s{0,9}"?(\d{5,20})(?!\d)/g;

/**
 * Looks through a body without parsing it: nobody has signed for it yet. What it finds decides which secrets are tried,
 * never what an item is about.
 */
export function numbersNamedIn(body: Buffer): NamedNumbers {
  const [senders, businesses] = [new Set<string>(), new Set<string>()];
  let read = 0;
  for (const [, key, name = ''] of body.toString('latin1').matchAll(NAME)) {
    const names = key === 'phone_number_id' ? senders : businesses;
    if (names.size < NAMES_MAX) names.add(name);
    if ((read += 1) === READ_MAX) break;
  }
  return { senders, businesses };
}
