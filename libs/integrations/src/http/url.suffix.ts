/**
 * A value that goes into a button's address: what an address cannot hold is percent-encoded, what is encoded already
 * stays as it is.
 */
export function encodeUrlSuffix(value: string): string {
  return encodeURI(value.toWellFormed()).replace(/%25([0-9a-f]{2})/gi, '%$1');
}
