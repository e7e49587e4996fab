import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { DialogNotes, DialogReading } from '@app/domain/messages/dialog/dialog-reading.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiProperty, ApiPropertyOptional, EXAMPLE_THREAD_ID, ApiTags } from '../http/docs/openapi.decorator';
import { IsName, MayBeAbsent } from '../http/dto/dto.decorator';
import { ok } from '../http/dto/envelope';
import { MessageAnswer } from './message.answer';

const NOTE_LENGTH_MAX = 4_096;

export class MarkReadBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    description: 'Our identifier of the last message that was read, of either side.',
    example: demoId('message', 2),
  })
  @IsString()
  @IsNotEmpty()
  up_to: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Whether the customer sees in the messenger that the messages were read.',
  })
  @MayBeAbsent()
  @IsBoolean()
  tell_customer?: boolean;
}

export class AddNoteBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({ minLength: 1, maxLength: NOTE_LENGTH_MAX, example: 'Call back after six.' })
  @IsName(NOTE_LENGTH_MAX)
  text: string;
}

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
