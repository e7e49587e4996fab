import type { FieldFault } from '@app/contracts/coded.error';
import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { nestedItemsOf, refinementOf } from './dto.decorators';
import { InvalidBodyError } from './http.errors';

const FAULTS_MAX = 100;

/**
 * Holds a body against its DTO: class-validator's rules, nothing coerced, unknown fields ignored. The body becomes
 * an instance by a plain assignment; class-transformer would cost more than everything else together.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' || !metatype) return value;
    const dto = instantiate(metatype as DtoClass, value as object);
    const faults = faultsOf(dto, '');
    if (faults.length > 0) throw new InvalidBodyError(faults.slice(0, FAULTS_MAX));
    return dto;
  }
}

type DtoClass = new () => object;

function instantiate(dtoClass: DtoClass, plain: object): object {
  // The body's own `__proto__` field, if any, must stay a field.
  const dto = Object.create(dtoClass.prototype as object) as Record<string, unknown>;
  for (const [name, value] of Object.entries(plain)) {
    Object.defineProperty(dto, name, { value, writable: true, enumerable: true, configurable: true });
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

function flatten(error: ValidationError, prefix: string): FieldFault[] {
  const [message] = Object.values(error.constraints ?? {});
  return message === undefined ? [] : [{ path: prefix + error.property, message }];
}
