/** Where class-transformer stores the types of `@Type`. The library exports it without its types. */
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: object,
      propertyName: string,
    ): { typeFunction: () => new () => object } | undefined;
  };
}
