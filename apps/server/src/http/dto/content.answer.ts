import { demoId } from '@app/contracts/demo-ids';
import type { MessageContent } from '@app/contracts/message-content';
import { ApiProperty, schemaOf } from '../docs/openapi.decorator';

/** What a message has besides its text: a class for each type. */

export class LocationContentAnswer {
  @ApiProperty({ enum: ['location'] })
  type: string;

  @ApiProperty({ example: 43.238949 })
  latitude: number;

  @ApiProperty({ example: 76.889709 })
  longitude: number;

  @ApiProperty({ type: String, nullable: true, example: 'Coffee Boom' })
  name: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Abay Avenue 10, Almaty' })
  address: string | null;
}

export class SharedPhoneAnswer {
  @ApiProperty({ example: '+77015551001', description: 'As the customer has it' })
  phone: string;

  @ApiProperty({ type: String, nullable: true, example: 'CELL' })
  label: string | null;
}

export class SharedContactAnswer {
  @ApiProperty({ type: String, nullable: true, example: 'Anna' })
  name: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  organization: string | null;

  @ApiProperty({ type: [SharedPhoneAnswer] })
  phones: SharedPhoneAnswer[];

  @ApiProperty({ type: [String], example: [] })
  emails: string[];
}

export class ContactsContentAnswer {
  @ApiProperty({ enum: ['contacts'] })
  type: string;

  @ApiProperty({ type: [SharedContactAnswer] })
  contacts: SharedContactAnswer[];
}

export class OrderItemAnswer {
  @ApiProperty({ type: String, nullable: true, example: 'tea-100' })
  product_id: string | null;

  @ApiProperty({ type: Number, nullable: true, example: 2 })
  quantity: number | null;

  @ApiProperty({ type: String, nullable: true, example: '1200.50', description: 'Of one, as decimal text' })
  price: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'KZT' })
  currency: string | null;
}

export class OrderContentAnswer {
  @ApiProperty({ enum: ['order'] })
  type: string;

  @ApiProperty({ type: String, nullable: true, example: '1234567890' })
  catalog_id: string | null;

  @ApiProperty({ type: [OrderItemAnswer] })
  items: OrderItemAnswer[];
}

export class ChoiceContentAnswer {
  @ApiProperty({ enum: ['choice'] })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'confirm:41',
    description: 'The payload that was sent with it',
  })
  id: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Confirm' })
  title: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  description: string | null;
}

export class FormContentAnswer {
  @ApiProperty({ enum: ['form'] })
  type: string;

  @ApiProperty({ type: String, nullable: true, example: 'flow', description: 'As the messenger has it' })
  name: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { city: 'Almaty' },
    description: 'The answers by the names of their fields; null where they cannot be read',
  })
  response: Record<string, unknown> | null;
}

export class ReactionContentAnswer {
  @ApiProperty({ enum: ['reaction'] })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '👍',
    description: 'Null: the reaction was taken back',
  })
  emoji: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: demoId('message', 2),
    description: 'The `id` of the message that it is about; null where it is not known',
  })
  message_id: string | null;
}

export class CallContentAnswer {
  @ApiProperty({ enum: ['call'] })
  type: string;

  @ApiProperty({ enum: ['missed'], description: 'Nobody took the call' })
  outcome: string;
}

export class UnsupportedContentAnswer {
  @ApiProperty({ enum: ['unsupported'] })
  type: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 131051, description: 'The messenger’s code' })
  code: number | null;

  @ApiProperty({ type: String, nullable: true, example: 'Message type unknown' })
  title: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Message type is currently not supported.' })
  details: string | null;
}

export class ReferralAnswer {
  @ApiProperty({ type: String, nullable: true, example: 'ad', description: '`ad` or `post`' })
  source_type: string | null;

  @ApiProperty({ type: String, nullable: true, example: '120210000000000000' })
  source_id: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://fb.me/1a2b3c' })
  source_url: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Fresh coffee' })
  headline: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Delivered in an hour' })
  body: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Of the click on the ad' })
  click_id: string | null;
}

const CONTENTS = {
  location: LocationContentAnswer,
  contacts: ContactsContentAnswer,
  order: OrderContentAnswer,
  choice: ChoiceContentAnswer,
  form: FormContentAnswer,
  reaction: ReactionContentAnswer,
  call: CallContentAnswer,
  unsupported: UnsupportedContentAnswer,
} as const satisfies Record<MessageContent['type'], unknown>;

/** The classes that describe contents. */
export const CONTENT_ANSWERS = Object.values(CONTENTS);

export type ContentAnswer = InstanceType<(typeof CONTENT_ANSWERS)[number]>;

/** A content: each is as its type is. */
export const CONTENT = {
  oneOf: CONTENT_ANSWERS.map(schemaOf),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      Object.entries(CONTENTS).map(([type, answer]) => [type, schemaOf(answer).$ref]),
    ),
  },
  nullable: true,
  description: 'What it has besides its text; null for plain text, templates and files',
};
