import { demoId } from '@app/contracts/demo-ids';
import { UserAnswer } from '../accounts/user.answer';
import { ApiProperty } from '../http/docs/openapi.decorator';

class OwnAccount {
  @ApiProperty({ example: demoId('account', 1) })
  id: string;

  @ApiProperty({ example: 'Harbour Coffee' })
  name: string;

  @ApiProperty({
    description:
      'Whether it demands a second factor: a person without one may only call the operations of sign-in',
    example: false,
  })
  second_factor_required: boolean;
}

class OwnAssistant {
  @ApiProperty({ example: demoId('assistant', 1) })
  id: string;

  @ApiProperty({ example: 'Sales' })
  name: string;
}

export class SignedInAnswer {
  @ApiProperty({ type: UserAnswer })
  user: UserAnswer;

  @ApiProperty({ type: OwnAccount })
  account: OwnAccount;

  @ApiProperty({ type: [OwnAssistant], description: 'The agents whose dialogs the person sees' })
  assistants: OwnAssistant[];

  @ApiProperty({ description: 'For the header `X-CSRF-Token` of every call by the session but GET' })
  csrf_token: string;
}

export class NothingAnswer {}

export class SessionAnswer {
  @ApiProperty({ example: '01930000-0000-7000-8000-00000000a001' })
  id: string;

  @ApiProperty({ description: 'Whether it is the one that asks' })
  current: boolean;

  @ApiProperty({ example: '203.0.113.7' })
  ip: string;

  @ApiProperty({ example: 'Mozilla/5.0' })
  user_agent: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time', description: 'To a minute' })
  last_seen_at: string;
}

export class BegunSecondFactorAnswer {
  @ApiProperty({
    description: 'For an authenticator app, in Base32',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @ApiProperty({ description: 'The same as an address, for a QR code' })
  otpauth_url: string;
}

export class RecoveryCodesAnswer {
  @ApiProperty({
    type: [String],
    description: 'Each stands in for the second factor, once. They are not shown again.',
    example: ['a2b3-c4d5-e6f7-g2h3-i4j5-k6l7'],
  })
  recovery_codes: string[];
}
