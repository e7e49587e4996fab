import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { ENCODING_NOT_SURE, FILE_FAULTS, TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { LeadFileTooLargeError } from '@app/domain/transfer/transfer.errors';
import { LeadImports, type ImportRequest as Asked } from '@app/domain/transfer/lead-imports.service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPrincipal, RawBody } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { DtoPipe } from '../http/dto/dto-pipe';
import { ok } from '../http/dto/envelope';
import { ApiBody, ApiConsumes, ApiTags } from '../http/docs/openapi.decorator';
import { takeUpload, type UploadRules } from '../http/body/upload-reader';
import { ImportAnswer, ImportStartedAnswer } from './import.answer';
import { CancelImportRequest, GetImportRequest, ImportForm, ImportRequest } from './import.request';

/** Each has a connection, a temporary file, and some 20 MB of memory while its phones are compared. */
const AT_ONCE = 4;
/** Of those that wait nothing is read. */
const WAITING = { places: 100, forMs: 60_000 };

const FORM: UploadRules = {
  fileBytesMax: TRANSFER_LIMITS.fileBytesMax,
  tooLarge: () => new LeadFileTooLargeError(),
  fields: ['assistant_id', 'bot_id', 'channel', 'dry_run', 'start_scenarios', 'encoding'],
};

@ApiTags('Leads')
@Controller('api/v1/leads')
export class ImportsController {
  private readonly limiter = new InFlightLimiter(AT_ONCE, WAITING);
  private readonly pipe = new DtoPipe();

  constructor(private readonly imports: LeadImports) {}

  @Post('import')
  @Access('import.create')
  @RawBody()
  @HttpCode(200)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ required: true, type: ImportRequest })
  @Documented({
    summary: 'Import leads from a file',
    description:
      `A CSV file with the columns \`phone\`, \`name\`, \`status\` and \`assignee\`, of which only \`phone\` is needed; others are ignored, and get-import names them. Up to ${TRANSFER_LIMITS.rowsMax.toLocaleString('en')} rows, ` +
      'in UTF-8, UTF-16, Windows-1251 or Windows-1252 (`encoding`), separated by `,`, `;` or tabs. The answer comes once the rows are stored; then they are taken in whatever happens, and get-import tells how far they are. A phone without a dialog gets one; one that has a dialog is moved, named and assigned as its row says, and an empty cell leaves things as they are. Of a phone that stands twice the first row counts. A stage is named by its name or id, a person by e-mail address, name or id. Nothing is sent to customers unless `start_scenarios` is true.',
    answer: ImportStartedAnswer,
    security: 'ApiKey',
    errors: ['ASSISTANT_NOT_FOUND', 'BOT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    meanings: {
      PAYLOAD_TOO_LARGE: `The file is larger than ${TRANSFER_LIMITS.fileBytesMax / 1024 ** 2} MiB.`,
      RATE_LIMITED: `More requests in 60 seconds than the key, or the person, may make; or ${TRANSFER_LIMITS.underWayMax} imports of the account are under way. See Retry-After.`,
      VALIDATION_ERROR:
        'The body is no form with one file and these fields, or the file as a whole cannot be used: `details` say why. The `reason` of a file that cannot be used: ' +
        `${FILE_FAULTS.map((reason) => `\`${reason}\``).join(', ')}; of an encoding that the file does not tell: \`${ENCODING_NOT_SURE}\`, on \`encoding\`.`,
    },
  })
  async importLeads(
    @CurrentPrincipal() by: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const importId = await this.limiter.run(by.accountId ?? '', () =>
      takeUpload(request, response, FORM, ({ bytes, fields }) =>
        this.imports.create(by, { bytes, asked: () => this.asked(fields) }),
      ),
    );
    return ok({ import_id: importId });
  }

  @Post('get-import')
  @Access('import.get')
  @HttpCode(200)
  @Documented({
    summary: 'How far an import is',
    description:
      'Its progress, what became of the rows, and what is wrong with those that were not taken in. Ask it every second or so while `state` is `running`. Imports are kept for 30 days after their end, without their rows.',
    answer: ImportAnswer,
    security: 'ApiKey',
    errors: ['IMPORT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getImport(@CurrentPrincipal() by: Principal, @Body() body: GetImportRequest) {
    const { import_id: id, faults_limit: limit = TRANSFER_LIMITS.faultsMax } = body;
    return ok(await this.imports.get(by, id, limit));
  }

  @Post('cancel-import')
  @Access('import.cancel')
  @HttpCode(200)
  @Documented({
    summary: 'Cancel an import',
    description:
      'Takes no further row in; what was taken in stays. Answers how far it came, without its faults. Safe to repeat: an import that has ended stays as it is.',
    answer: ImportAnswer,
    security: 'ApiKey',
    errors: ['IMPORT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async cancelImport(@CurrentPrincipal() by: Principal, @Body() body: CancelImportRequest) {
    return ok(await this.imports.cancel(by, body.import_id));
  }

  /** @throws ValidationError */
  private asked(fields: Readonly<Record<string, string>>): Asked {
    const form = this.pipe.transform(fields, { type: 'body', metatype: ImportForm }) as ImportForm;
    return {
      ...{ assistantId: form.assistant_id, botId: form.bot_id, channel: form.channel },
      ...{ dryRun: form.dry_run === 'true', startScenarios: form.start_scenarios === 'true' },
      encoding: form.encoding === undefined || form.encoding === 'auto' ? null : form.encoding,
    };
  }
}
