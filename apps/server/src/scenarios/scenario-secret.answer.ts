import { ApiProperty } from '../http/docs/openapi.decorator';
import { ScenarioAnswer } from './scenario.answer';

const SECRET = {
  description: 'By which receivers of its calls verify them (Standard Webhooks). Shown this once',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwZfq0Vq0mM2E=',
};

export class NewScenarioAnswer extends ScenarioAnswer {
  @ApiProperty(SECRET)
  signing_secret: string;
}

export class SigningSecretAnswer {
  @ApiProperty(SECRET)
  signing_secret: string;
}
