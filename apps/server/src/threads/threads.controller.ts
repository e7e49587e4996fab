import { demoId } from '@app/contracts/demo-ids';
import type { ThreadSort } from '@app/contracts/lead.words';
import type { ThreadPosition, TwoWayPosition } from '@app/contracts/values/list-position.format';
import { ValidationError } from '@app/contracts/coded.errors';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { MessageListsService, type MessagePage } from '@app/domain/messages/dialog/message-lists.service';
import { ThreadsService, type Thread, type ThreadQuery } from '@app/domain/threads/threads.service';
import { Injectable, Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import {
  EXAMPLE_ASSISTANT_ID,
  EXAMPLE_STATUS_ID,
  EXAMPLE_THREAD_ID,
  ApiBody,
  ApiTags,
} from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { THREAD_CURSOR, TWO_WAY_CURSOR } from '../http/routes/opaque-cursor';
import { listFilterOf } from '../http/routes/thread-filter.request';
import { PublicUrl } from '../public-url';
import { MessageListAnswer } from './message-list.answer';
import { ThreadListAnswer } from './thread.answer';
import { GetMessagesRequest, GetThreadsRequest } from './thread.request';

/** Where the operators' page shows dialogs. */
@Injectable()
export class ThreadLinks {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** The dialog with the address of its page. */
  linked(thread: Thread): Thread & { url: string } {
    return { ...thread, url: `${this.publicUrl.value}/dialogs/${thread.thread_id}` };
  }
}

/** Bodies that work in the demo as they are. */
const GET_THREADS_EXAMPLES = {
  newest: { value: { limit: 50 } },
  'by phone': { value: { phones: ['+77015551001', '+77015551002'] } },
  'one column of a funnel': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, status_id: EXAMPLE_STATUS_ID } },
  'where a person is asked for': { value: { attention: true } },
  'where the model failed': { value: { attention: 'model' } },
  'with their last messages': { value: { waiting: true, messages_limit: 3 } },
};

const GET_MESSAGES_EXAMPLES = {
  'newest messages': { value: { thread_id: EXAMPLE_THREAD_ID, limit: 50 } },
  'around a message': {
    value: { thread_id: EXAMPLE_THREAD_ID, around: demoId('message', 2), limit: 50 },
  },
};

const PAGE = 50;

@ApiTags('Dialogs')
@Controller('api/v1/messages')
export class ThreadsController {
  constructor(
    private readonly threads: ThreadsService,
    private readonly messages: MessageListsService,
    private readonly links: ThreadLinks,
  ) {}

  @Post('get-threads')
  @Access('thread.list')
  @HttpCode(200)
  @ApiBody({ type: GetThreadsRequest, examples: GET_THREADS_EXAMPLES })
  @Documented({
    summary: 'List dialogs',
    description:
      'The dialogs of the key’s agents with their stages, in the order of `sort`. Every field is optional, and together they narrow the list. Go on with `next_cursor` while `has_more`: a page with many messages may end early, and no dialog is missed or comes twice, however leads move meanwhile.',
    answer: ThreadListAnswer,
    security: 'ApiKey',
    errors: [
      'ASSISTANT_NOT_FOUND',
      'BOT_NOT_FOUND',
      'STATUS_NOT_FOUND',
      'SCENARIO_NOT_FOUND',
      'USER_NOT_FOUND',
      'THREAD_NOT_FOUND',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async getThreads(@CurrentPrincipal() by: Principal, @Body() body: GetThreadsRequest) {
    const { threads, notFound, notFoundUserIds, hasMore, nextAfter, totals } = await this.threads.getThreads(
      by,
      toQuery(body),
    );
    return ok({
      threads: threads.map((thread) => this.links.linked(thread)),
      not_found: notFound,
      not_found_user_ids: notFoundUserIds,
      has_more: hasMore,
      next_cursor: nextAfter === null ? null : THREAD_CURSOR.encode(nextAfter),
      ...(totals && { totals }),
    });
  }

  @Post('get-messages')
  @Access('message.list')
  @HttpCode(200)
  @ApiBody({ type: GetMessagesRequest, examples: GET_MESSAGES_EXAMPLES })
  @Documented({
    summary: 'What was said in a dialog',
    description:
      'Messages of both sides in the order in which they arrived, newest first. `around` shows a message with as many on either side of it as fit.',
    answer: MessageListAnswer,
    security: 'ApiKey',
    errors: ['THREAD_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getMessages(@CurrentPrincipal() by: Principal, @Body() body: GetMessagesRequest) {
    const { thread_id: threadId, around, cursor, limit = PAGE } = body;
    if (around !== undefined) {
      if (cursor !== undefined)
        throw new ValidationError([{ path: 'cursor', message: 'cannot be given together with around' }]);
      return ok(answerOf(await this.messages.getAround(by, threadId, around, limit)));
    }
    const from = cursor === undefined ? null : TWO_WAY_CURSOR.decode(cursor);
    return ok(answerOf(await this.messages.getMessages(by, threadId, from, limit)));
  }
}

const cursorOf = (position: TwoWayPosition | null): string | null =>
  position && TWO_WAY_CURSOR.encode(position);

const answerOf = ({ messages, older, newer }: MessagePage): MessageListAnswer => ({
  messages,
  next_cursor: cursorOf(older),
  ...(newer !== undefined && { previous_cursor: cursorOf(newer) }),
});

/** @throws ValidationError for a cursor of another order too */
function positionIn(sort: ThreadSort, cursor: string): ThreadPosition {
  const position = THREAD_CURSOR.decode(cursor);
  if (position.sort === sort) return position;
  throw new ValidationError([{ path: 'cursor', message: 'is of a list in another order' }]);
}

function toQuery(body: GetThreadsRequest): ThreadQuery {
  const sort = body.sort ?? 'opened';
  return {
    assistantId: body.assistant_id,
    ...listFilterOf(body),
    messagesLimit: body.messages_limit ?? 0,
    limit: body.limit ?? PAGE,
    sort,
    after: body.cursor === undefined ? null : positionIn(sort, body.cursor),
    counts: body.counts ?? false,
  };
}
