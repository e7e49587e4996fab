import { demoId } from '@app/contracts/demo.ids';
import { ApiProperty } from './openapi.decorators';

/** The person to whom a dialog is assigned. */
export class AssigneeAnswer {
  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: 'Айгерим' })
  name: string;
}
