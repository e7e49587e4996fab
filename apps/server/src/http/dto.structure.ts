import type { FieldFault } from '@app/contracts/coded.error';

type DtoClass = new () => object;
type Refinement = (dto: object) => FieldFault[];

const nested = new WeakMap<object, Map<string, DtoClass>>();
const refinements = new WeakMap<object, Refinement>();
const NONE = new Map<string, DtoClass>();

/** An array of DTOs, each validated with its own path such as `items[3].status_id`. */
export const NestedItems =
  (itemClass: DtoClass): PropertyDecorator =>
  (target, field) => {
    const fields = nested.get(target.constructor) ?? new Map<string, DtoClass>();
    nested.set(target.constructor, fields.set(String(field), itemClass));
  };

export const nestedItemsOf = (dtoClass: object): Map<string, DtoClass> => nested.get(dtoClass) ?? NONE;

/** A rule about several fields together, asked once each field by itself is right. */
export const Refine =
  <T extends object>(rule: (dto: T) => FieldFault[]) =>
  (dtoClass: new () => T): void => {
    refinements.set(dtoClass, rule as Refinement);
  };

export const refinementOf = (dtoClass: object): Refinement | undefined => refinements.get(dtoClass);
