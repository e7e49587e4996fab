/**
 * A value for the variable part of a button's address. Characters that an address cannot hold are percent-encoded;
 * encoded ones stay.
 */
export function encodeUrlSuffix(value: string): string {
  return encodeURI(value.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, '%$1');
}
