import { ApiProperty } from '../docs/openapi.decorator';

/** How the messenger charges a message. */
export class PricingAnswer {
  @ApiProperty({ type: Boolean, nullable: true, example: true })
  billable: boolean | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'utility',
    description: 'In the messenger’s words: `marketing`, `utility`, `authentication`, `service`, …',
  })
  category: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'regular',
    description: '`regular`, `free_customer_service` or `free_entry_point`',
  })
  type: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'PMP', description: '`PMP`: by the message' })
  model: string | null;
}

export const PRICING = {
  type: PricingAnswer,
  nullable: true,
  description: 'How the messenger charges a message of ours; null: it has not said so',
};
