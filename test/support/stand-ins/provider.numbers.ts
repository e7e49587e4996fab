/** Each number of the tests has a business account of its own at Meta. */
export const businessOf = (phoneNumberId: string): string => `7${phoneNumberId}`;

/** What Meta lists for a call that asks for the numbers of a business account; null: it asks for something else. */
export function cloudNumbersAsked(url: string): object | null {
  const [, id] = /^\/v\d+\.\d+\/7(\d+)\/phone_numbers\b/.exec(url) ?? [];
  return id === undefined ? null : { data: [{ id, display_phone_number: '+7 701 555 01 00' }] };
}

/** The app whose number a call asks Gupshup for; null: it asks for something else. */
export const gupshupAppAsked = (url: string): string | null =>
  /^\/wa\/app\/([^/]+)\/business\/profile$/.exec(url)?.[1] ?? null;
