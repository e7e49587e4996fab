/** Bruno's own reader and writer of its files; it brings no types. */
declare module '@usebruno/lang' {
  const lang: {
    bruToJsonV2(text: string): Record<string, unknown>;
    bruToEnvJsonV2(text: string): Record<string, unknown>;
    collectionBruToJson(text: string): Record<string, unknown>;
  };
  export default lang;
}
