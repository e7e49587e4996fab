/** What an answer says of the country of phones in files. */
export const PHONE_COUNTRY =
  'The country in which phones of files are read that do not say theirs, by ISO 3166: `default_country` of the account, else the country of the number. Null: neither is known, and only international phones are read';
