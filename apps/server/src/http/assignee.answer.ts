import { demoId } from '@app/contracts/demo.ids';
import { ApiProperty } from './openapi.decorators';

/** A person of the account: to whom a dialog is assigned, or who wrote a message. */
export class AssigneeAnswer {
  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: 'Айгерим' })
  name: string;
}
