import { CodedError } from '@app/contracts/coded.error';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { Audit, type UnknownCaller } from '@app/domain/audit/audit.service';
import { Injectable, Logger } from '@nestjs/common';
import { STATUS_OF_CODE } from './error.statuses';

const FORBIDDEN_STATUS = 403;

export const isForbidden = (error: unknown): error is CodedError =>
  error instanceof CodedError && STATUS_OF_CODE[error.code] === FORBIDDEN_STATUS;

/** Has every refusal with 403 kept in the audit, before it is answered. */
@Injectable()
export class RefusalAudit {
  private readonly logger = new Logger(RefusalAudit.name);

  constructor(private readonly audit: Audit) {}

  /** The refusal is answered also where its entry cannot be written. */
  async keep(by: Principal | UnknownCaller, operation: string, { code }: CodedError): Promise<void> {
    try {
      await this.audit.refused(by, operation, code);
    } catch (error) {
      this.logger.warn({ err: error }, 'A refused call could not be kept in the audit.');
    }
  }
}
