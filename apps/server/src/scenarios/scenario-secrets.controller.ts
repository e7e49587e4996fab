import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { ScenariosService } from '@app/domain/scenarios/definition/scenarios.service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { SigningSecretAnswer } from './scenario-secret.answer';
import { ROTATE_SECRET_EXAMPLES, RotateSecretRequest } from './scenario-secret.request';

@ApiTags('Admin: scenarios')
@Controller('api/v1/admin/scenarios')
export class ScenarioSecretsController {
  constructor(private readonly scenarios: ScenariosService) {}

  @Post(':id/rotate-secret')
  @Access('scenario.rotate_secret')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('scenario', 1) })
  @ApiBody({ type: RotateSecretRequest, examples: ROTATE_SECRET_EXAMPLES })
  @Documented({
    summary: 'Make a new signing secret',
    description:
      'Calls of the scenario’s `http` steps are signed by it from now on, and for `overlap_hours` by the former one too. It is shown this once.',
    answer: SigningSecretAnswer,
    security: 'AdminKey',
    errors: ['SCENARIO_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async rotateSecret(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: RotateSecretRequest,
  ) {
    return ok({ signing_secret: await this.scenarios.rotateSecret(by, id, body.overlap_hours) });
  }
}
