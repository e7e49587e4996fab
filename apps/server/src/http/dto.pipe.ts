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
    const dto = instantiate(metatype as DtoClass, value as object);
    const faults = faultsOf(dto, '');
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

function instantiate(dtoClass: DtoClass, plain: object): object {
  const dto = Object.create(dtoClass.prototype as object) as Record<string, unknown>;
  // What the DTO does not declare stays behind: a field named `constructor` would lead its validation astray.
  for (const field of fieldsOf(dtoClass)) {
    if (Object.hasOwn(plain, field)) dto[field] = (plain as Record<string, unknown>)[field];
  }
  for (const [field, itemClass] of nestedItemsOf(dtoClass)) {
    const items = dto[field];
    if (Array.isArray(items)) {
      dto[field] = items.map((item: unknown) =>
        typeof item === 'object' && item !== null && !Array.isArray(item)
          ? instantiate(itemClass, item)
          : item,
      );
    }
  }
  return dto;
}

function faultsOf(dto: object, prefix: string): FieldFault[] {
  const faults = validateSync(dto, { forbidUnknownValues: true }).flatMap((error) => flatten(error, prefix));
  const refine = refinementOf(dto.constructor);
  if (refine && faults.length === 0) {
    faults.push(...refine(dto).map(({ path, message }) => ({ path: prefix + path, message })));
  }
  for (const [field, itemClass] of nestedItemsOf(dto.constructor)) {
    const items = (dto as Record<string, unknown>)[field];
    if (!Array.isArray(items)) continue;
    for (const [index, item] of items.entries()) {
      if (faults.length > FAULTS_MAX) break;
      const path = `${prefix}${field}[${index}]`;
      if (item instanceof itemClass) faults.push(...faultsOf(item, `${path}.`));
      else faults.push({ path, message: 'must be an object' });
    }
  }
  return faults;
}

function flatten(error: FieldError, prefix: string): FieldFault[] {
  const [message] = Object.values(error.constraints ?? {});
  return message === undefined ? [] : [{ path: prefix + error.property, message }];
}
