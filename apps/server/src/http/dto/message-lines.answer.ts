import { ApiProperty } from '../docs/openapi.decorator';

/** What a message is in a line of words, by language. */
export class MessageLinesAnswer {
  @ApiProperty({ example: 'Location: Coffee Boom, Abay 10' })
  en: string;

  @ApiProperty({ example: 'Место: Coffee Boom, Abay 10' })
  ru: string;
}
