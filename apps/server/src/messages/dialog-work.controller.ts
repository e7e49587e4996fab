import type { Principal } from '@app/domain/accounts/principal.rules';
import { DialogNotes, DialogReading } from '@app/domain/messages/dialog/dialog-reading.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';
import { ApiTags, ApiProperty } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { AddNoteBody, MarkReadBody } from './dialog-work.request';
import { MessageAnswer } from './message.answer';

class MarkReadAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'False when no more was unread' })
  changed: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Messages of the customer that no person has read or answered',
  })
  unread_count: number;
}

@ApiTags('Dialogs')
@Controller('api/v1/messages')
export class DialogWorkController {
  constructor(
    private readonly reading: DialogReading,
    private readonly notes: DialogNotes,
  ) {}

  @Post('mark-read')
  @Access('message.mark_read')
  @HttpCode(200)
  @Documented({
    summary: 'Mark the messages of a dialog as read',
    description:
      'Up to a message, which counts too. Lowers `unread_count` to what the customer wrote after it. The order of lists and `updated_at` stay. With `tell_customer` the messenger is asked afterwards, once, to show the customer that the messages were read.',
    answer: MarkReadAnswer,
    security: 'ApiKey',
    errors: [
      'THREAD_NOT_FOUND',
      'THREAD_ERASED',
      'MESSAGE_NOT_FOUND',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async markRead(@CurrentPrincipal() by: Principal, @Body() body: MarkReadBody) {
    const { thread_id: threadId, up_to: upTo, tell_customer: tellCustomer = false } = body;
    return ok(await this.reading.markRead(by, { threadId, upTo, tellCustomer }));
  }

  @Post('add-note')
  @Access('message.add_note')
  @HttpCode(200)
  @Documented({
    summary: 'Write a note in a dialog',
    description:
      'A message of type `note` for colleagues: it is never sent, and the agent does not get it. It starts no takeover, and a message that waits goes on waiting.',
    answer: MessageAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'THREAD_ERASED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async addNote(@CurrentPrincipal() by: Principal, @Body() body: AddNoteBody) {
    return ok(await this.notes.add(by, body.thread_id, body.text));
  }
}
