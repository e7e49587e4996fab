import { ApiProperty } from '../docs/openapi.decorator';

/** What scenarios would do, at most. */
export class WouldStartAnswer {
  @ApiProperty({ type: 'integer', example: 2 })
  runs: number;

  @ApiProperty({ type: 'integer', example: 4, description: 'Steps of these runs that write to a customer' })
  messages: number;
}
