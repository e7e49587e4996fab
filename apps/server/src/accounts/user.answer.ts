import { demoId } from '@app/contracts/demo-ids';
import { ROLES, type Role } from '@app/domain/accounts/access-table';
import { ApiProperty } from '../http/docs/openapi.decorator';

export const LOCALES = ['ru', 'en'] as const;

export const ASSISTANTS_OF_PERSON =
  'The agents whose dialogs an operator works with; null: all of the account. An admin sees all, whatever it says.';

export class UserAnswer {
  @ApiProperty({ example: demoId('user', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: 'aigerim@harbour-coffee.example' })
  email: string;

  @ApiProperty({ example: 'Aigerim' })
  name: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: [String], nullable: true, description: ASSISTANTS_OF_PERSON })
  assistant_ids: string[] | null;

  @ApiProperty({ enum: LOCALES, description: "The language of the person's pages" })
  locale: 'ru' | 'en';

  @ApiProperty({ example: false })
  disabled: boolean;

  @ApiProperty({ description: 'Whether sign-in asks for a code too', example: false })
  second_factor: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'To a minute' })
  last_seen_at: string | null;
}

export class UserListAnswer {
  @ApiProperty({ type: [UserAnswer] })
  users: UserAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class InvitationLink {
  @ApiProperty({ example: 'https://leadline.example.com/invitation#l7U0ZPzMQ0mV8aJ4yq6mH3…' })
  url: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

export class InvitationAnswer {
  @ApiProperty({ type: InvitationLink })
  invitation: InvitationLink;
}

export class InvitedUserAnswer extends UserAnswer {
  @ApiProperty({ type: InvitationLink })
  invitation: InvitationLink;
}
