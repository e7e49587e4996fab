import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty } from '../docs/openapi.decorator';

/** A person of the account: to whom a dialog is assigned, or who wrote a message. */
export class AssigneeAnswer {
  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: 'Айгерим' })
  name: string;
}

export const AUTHOR = {
  type: AssigneeAnswer,
  nullable: true,
  description:
    'The person of the account who wrote it; null for anybody else: a customer, the agent, a scenario, another system, the phone’s app',
};
