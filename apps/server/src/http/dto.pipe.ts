import type { FieldFault } from '@app/contracts/coded.error';
import { ValidationError } from '@app/contracts/validation.error';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError as FieldError } from 'class-validator';
import { nestedItemsOf, refinementOf } from './dto.structure';

const FAULTS_MAX = 100;

/**
 * Holds a body against its DTO: class-validator's rules, nothing coerced, unknown fields left out. The body becomes
 * an instance by plain assignments; class-transformer would cost more than everything else together.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype) return value;
    const faults: FieldFault[] = [];
    const dto = readDto(metatype as DtoClass, value as object, '', faults);
    if (faults.length > 0) throw new ValidationError(faults.slice(0, FAULTS_MAX));
    return dto;
  }
}

type DtoClass = new () => object;

const declared = new WeakMap<DtoClass, string[]>();

/** The fields that a DTO has rules for. */
function fieldsOf(dtoClass: DtoClass): string[] {
  const known = declared.get(dtoClass);
  if (known) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dtoClass, '', true, false);
  const fields = [...new Set([...rules.map((rule) => rule.propertyName), ...nestedItemsOf(dtoClass).keys()])];
  declared.set(dtoClass, fields);
  return fields;
}

/** The DTO of a plain object; what is wrong with it is added to the faults of the whole body. */
function readDto(dtoClass: DtoClass, plain: object, prefix: string, faults: FieldFault[]): object {
  const dto = Object.create(dtoClass.prototype as object) as Record<string, unknown>;
  // What the DTO does not declare stays behind: a field named `constructor` would lead its validation astray.
  for (const field of fieldsOf(dtoClass)) {
    if (Object.hasOwn(plain, field)) dto[field] = (plain as Record<string, unknown>)[field];
  }
  const own = validateSync(dto, { forbidUnknownValues: true }).flatMap((error) => flatten(error, prefix));
  const refine = refinementOf(dtoClass);
  if (refine && own.length === 0) {
    own.push(...refine(dto).map(({ path, message }) => ({ path: prefix + path, message })));
  }
  faults.push(...own);
  for (const [field, { itemClass, orOne }] of nestedItemsOf(dtoClass)) {
    const items = dto[field];
    // An array that is itself at fault, of a million items perhaps, is not looked through.
    if (own.some(({ path }) => path === prefix + field)) continue;
    if (Array.isArray(items)) dto[field] = readItems(itemClass, items, prefix + field, faults);
    else if (orOne && typeof items === 'object' && items !== null) {
      dto[field] = readDto(itemClass, items, `${prefix}${field}.`, faults);
    }
  }
  return dto;
}

function readItems(itemClass: DtoClass, items: unknown[], path: string, faults: FieldFault[]): unknown[] {
  return items.map((item, index) => {
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      return readDto(itemClass, item, `${path}[${index}].`, faults);
    }
    faults.push({ path: `${path}[${index}]`, message: 'must be an object' });
    return item;
  });
}

function flatten(error: FieldError, prefix: string): FieldFault[] {
  const [message] = Object.values(error.constraints ?? {});
  return message === undefined ? [] : [{ path: prefix + error.property, message }];
}
