import type { FieldViolation } from '@app/contracts/coded.errors';

type Refinement = (dto: object) => Iterable<FieldViolation>;

const refinements = new WeakMap<object, Refinement>();

/** A rule about several fields together, checked once each field alone is right. */
export const Refine =
  <T extends object>(rule: (dto: T) => Iterable<FieldViolation>) =>
  (dtoClass: new () => T): void => {
    refinements.set(dtoClass, rule as Refinement);
  };

export const refinementOf = (dtoClass: object): Refinement | undefined => refinements.get(dtoClass);
