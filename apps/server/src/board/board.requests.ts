import type { FieldViolation } from '@app/contracts/coded.error';
import { ValidationError } from '@app/contracts/validation.error';

/** A request that came over a socket, field by field; nothing is coerced. */
export class BoardRequest {
  private readonly violations: FieldViolation[] = [];
  private readonly fields: Record<string, unknown>;

  constructor(request: unknown) {
    const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
    this.fields = isObject ? { ...request } : {};
    if (!isObject) this.violations.push({ path: '', message: 'the request must be an object' });
  }

  text(path: string): string {
    const value = this.fields[path];
    if (typeof value === 'string' && value !== '') return value;
    this.violations.push({
      path,
      message: value === undefined ? 'is required' : 'must be a non-empty string',
    });
    return '';
  }

  textOrNull(path: string): string | null {
    return this.fields[path] === null ? null : this.text(path);
  }

  optionalPosition(path: string): number | undefined {
    const value = this.fields[path];
    if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0))
      return value;
    this.violations.push({ path, message: 'must be the seq of an earlier answer or event' });
    return undefined;
  }

  /** @throws ValidationError when a field read before was not what it must be. */
  requireValid(): void {
    if (this.violations.length > 0) throw new ValidationError(this.violations);
  }
}
