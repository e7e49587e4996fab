import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';

export class NumberTestAnswer {
  @ApiProperty({ description: 'Whether the provider accepts the credential and has the number' })
  ok: boolean;

  @ApiProperty({ format: 'date-time' })
  checked_at: string;

  @ApiPropertyOptional({
    description: 'The phone, where the provider names it; Gupshup does not',
    example: '+77270000000',
  })
  number?: string;

  @ApiPropertyOptional({
    description: 'Why it does not work',
    example: 'WhatsApp does not accept the token.',
  })
  problem?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "The provider's own words, where it refused: its JSON, or its text; null where it gave none",
  })
  provider_response?: unknown;
}
