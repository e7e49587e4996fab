import { ApiProperty } from '../docs/openapi.decorator';

/** How a customer is known on a channel. */
export class CustomerAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    example: '+22997123110',
    description: 'With its plus, as it was asked for or typed; null: it is not known',
  })
  phone: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2290197123110',
    description:
      'The digits by which the messenger knows the phone, where it has told them; they may differ from `phone`',
  })
  wa_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'BJ.134912086553027',
    description: 'The messenger’s id of the customer for this business, where it has told it',
  })
  user_id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'afi.d',
    description:
      'As the messenger shows the customer to others. It is no address: it may pass to somebody else',
  })
  username: string | null;

  @ApiProperty({ description: 'Whether the customer has shared the phone when asked for it' })
  phone_proven: boolean;
}
