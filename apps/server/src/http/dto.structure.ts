import type { FieldFault } from '@app/contracts/coded.error';

type DtoClass = new () => object;
type Refinement = (dto: object) => FieldFault[];

/** A field of DTOs: the class of its items, and whether one of them may stand without an array around it. */
export interface Nesting {
  itemClass: DtoClass;
  orOne: boolean;
}

const nested = new WeakMap<object, Map<string, Nesting>>();
const refinements = new WeakMap<object, Refinement>();
const NONE = new Map<string, Nesting>();

const nest =
  (nesting: Nesting): PropertyDecorator =>
  (target, field) => {
    const fields = nested.get(target.constructor) ?? new Map<string, Nesting>();
    nested.set(target.constructor, fields.set(String(field), nesting));
  };

/** An array of DTOs, each validated with its own path such as `items[3].status_id`. */
export const NestedItems = (itemClass: DtoClass): PropertyDecorator => nest({ itemClass, orOne: false });

/** Likewise, or one DTO alone, whose path is such as `to.phone`. */
export const NestedOneOrItems = (itemClass: DtoClass): PropertyDecorator => nest({ itemClass, orOne: true });

export const nestedItemsOf = (dtoClass: object): Map<string, Nesting> => nested.get(dtoClass) ?? NONE;

/** A rule about several fields together, asked once each field by itself is right. */
export const Refine =
  <T extends object>(rule: (dto: T) => FieldFault[]) =>
  (dtoClass: new () => T): void => {
    refinements.set(dtoClass, rule as Refinement);
  };

export const refinementOf = (dtoClass: object): Refinement | undefined => refinements.get(dtoClass);
