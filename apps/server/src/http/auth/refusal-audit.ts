import { CodedError } from '@app/contracts/coded.errors';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { Audit, type UnknownCaller } from '@app/domain/audit/audit.service';
import { Injectable } from '@nestjs/common';
import { STATUS_OF_CODE } from '../errors/error-statuses';

const FORBIDDEN_STATUS = 403;

export const isForbidden = (error: unknown): error is CodedError =>
  error instanceof CodedError && STATUS_OF_CODE[error.code] === FORBIDDEN_STATUS;

/** Has refusals with 403 kept in the audit, before they are answered. */
@Injectable()
export class RefusalAudit {
  constructor(private readonly audit: Audit) {}

  async keep(by: Principal | UnknownCaller, operation: string, { code }: CodedError): Promise<void> {
    await this.audit.refused(by, operation, code);
  }
}
