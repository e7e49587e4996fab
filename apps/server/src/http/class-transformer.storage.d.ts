/** Where `@Type` of class-transformer keeps what it was told: the library exports it without its types. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: object,
      propertyName: string,
    ): { typeFunction: () => new () => object } | undefined;
  };
}
