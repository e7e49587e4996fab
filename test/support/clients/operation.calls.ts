import type { CallOf, DataOf, Method, PathOf } from '@app/client/api.calls';
import type { ErrorCode } from '@app/contracts/error.codes';
import { TOTP } from 'otpauth';
import { tokenOf } from './session.client';

/** An operation of the client's types, such as `POST /api/v1/leads/get-lead`. */
export type OperationName = { [M in Method]: `${Uppercase<M>} ${PathOf<M>}` }[Method];

type MethodOf<Name extends OperationName> = Name extends `${infer M} ${string}` ? Lowercase<M> : never;
type PathIn<Name extends OperationName> = Name extends `${string} ${infer Path}` ? Path : never;
type KeysOf<Data> = Data extends readonly unknown[] ? number : Data extends object ? keyof Data : never;

/** What the calls before have answered, and who signs in. */
export interface Walk {
  answerOf: <Name extends OperationName>(name: Name) => AnswerOf<Name>;
  admin: { email: string; password: string };
  /** Of a session that the admin has besides. */
  otherSession: string;
}

type AnswerOf<Name extends OperationName> =
  MethodOf<Name> extends infer M extends Method
    ? PathIn<Name> extends infer Path extends PathOf<M>
      ? DataOf<M, Path>
      : never
    : never;

type GivenTo<Name extends OperationName> =
  MethodOf<Name> extends infer M extends Method
    ? PathIn<Name> extends infer Path extends PathOf<M>
      ? CallOf<M, Path>
      : never
    : never;

/** What is called, and what is expected of the answer. */
export interface OperationCall<Name extends OperationName = OperationName> {
  by: 'nobody' | 'key' | 'admin' | 'person';
  /** Where it is not the document's own example. */
  given?: (walk: Walk) => GivenTo<Name>;
  /** A field that the answer has; null: it has none; `file`: it is one. Or the code of a refusal. */
  answers: KeysOf<AnswerOf<Name>> | null | 'file' | { refused: ErrorCode };
}

export const NEW_PASSWORD = 'eleven loud rivers';

/**
 * Each operation of the client, in the order in which it is called against a running demo: first what reads and changes,
 * then what takes away, then the calls of people. A new operation has to be written down here.
 */
export const OPERATION_CALLS: { [Name in OperationName]: OperationCall<Name> } = {
  'GET /health/live': { by: 'nobody', answers: 'status' },
  'GET /health/ready': { by: 'nobody', answers: 'status' },
  'GET /api/v1/admin/work': { by: 'admin', answers: 'queues' },
  'POST /api/v1/leads/get-statuses': { by: 'key', answers: 'assistant_id' },
  'POST /api/v1/leads/get-lead': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/leads/set-status': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/leads/set-status-bulk': { by: 'key', answers: 'results' },
  'POST /api/v1/leads/get-history': { by: 'key', answers: 'entries' },
  'POST /api/v1/leads/set-name': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/leads/clear-attention': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/leads/assign': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/leads/set-ai': { by: 'key', answers: 'thread_id' },
  'GET /api/v1/messages/media/{id}': { by: 'key', answers: 'file' },
  'POST /api/v1/messages/upload-media': { by: 'key', answers: 'media' },
  'GET /files/{token}': {
    by: 'nobody',
    given: () => ({ params: { path: { token: 'none' } } }),
    answers: { refused: 'MEDIA_NOT_FOUND' },
  },
  'POST /api/v1/messages/send-template': { by: 'key', answers: 'status' },
  'POST /api/v1/messages/send-text': { by: 'key', answers: 'message_id' },
  'POST /api/v1/messages/get-batch': { by: 'key', answers: 'batch_id' },
  'POST /api/v1/messages/get-message': { by: 'key', answers: 'id' },
  'POST /api/v1/messages/settle-message': { by: 'key', answers: 'id' },
  'POST /api/v1/messages/mark-read': { by: 'key', answers: 'thread_id' },
  'POST /api/v1/messages/add-note': { by: 'key', answers: 'id' },
  'POST /api/v1/messages/get-templates': { by: 'key', answers: 'templates' },
  'GET /api/v1/admin/templates': { by: 'admin', answers: 'templates' },
  'POST /api/v1/admin/templates': { by: 'admin', answers: 'template_id' },
  'GET /api/v1/admin/templates/{id}': { by: 'admin', answers: 'template_id' },
  'PATCH /api/v1/admin/templates/{id}': { by: 'admin', answers: 'template_id' },
  'POST /api/v1/admin/templates/{id}/submit': { by: 'admin', answers: 'template_id' },
  'POST /api/v1/admin/templates/synchronize': { by: 'admin', answers: 'listed' },
  'POST /api/v1/messages/get-threads': { by: 'key', answers: 'threads' },
  'POST /api/v1/messages/get-messages': { by: 'key', answers: 'messages' },
  'GET /api/v1/admin/assistants': { by: 'admin', answers: 'assistants' },
  'POST /api/v1/admin/assistants': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/assistants/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/assistants/{id}': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/assistants/{id}/tools': { by: 'admin', answers: 'tools' },
  'POST /api/v1/admin/assistants/{id}/tools': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/assistants/{id}/tools/{tool_id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/assistants/{id}/try': { by: 'admin', answers: 'reply' },
  'GET /api/v1/admin/statuses': { by: 'admin', answers: 'statuses' },
  'POST /api/v1/admin/statuses': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/statuses/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/statuses/{id}': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/scenarios': { by: 'admin', answers: 'scenarios' },
  'POST /api/v1/admin/scenarios': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/scenarios/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenarios/{id}/start': { by: 'admin', answers: 'started' },
  'PATCH /api/v1/admin/scenarios/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenarios/{id}/cancel-runs': { by: 'admin', answers: 'cancelled' },
  'POST /api/v1/admin/scenarios/{id}/rotate-secret': { by: 'admin', answers: 'signing_secret' },
  'GET /api/v1/admin/scenario-runs': { by: 'admin', answers: 'runs' },
  'GET /api/v1/admin/scenario-runs/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenario-runs/{id}/cancel': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenario-runs/{id}/retry': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenario-runs/{id}/steps/{index}/resolve': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/scenarios/{id}/try': { by: 'admin', answers: 'steps' },
  'GET /api/v1/admin/bots': { by: 'admin', answers: 'bots' },
  'POST /api/v1/admin/bots': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/bots/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/bots/{id}': { by: 'admin', answers: 'id' },
  'PUT /api/v1/admin/bots/{id}/channels/{channel}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/bots/{id}/channels/{channel}/test': { by: 'admin', answers: 'ok' },
  'GET /api/v1/admin/accounts': { by: 'admin', answers: 'accounts' },
  'POST /api/v1/admin/accounts': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/accounts/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/accounts/{id}': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/api-keys': { by: 'admin', answers: 'api_keys' },
  'POST /api/v1/admin/api-keys': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/api-keys/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/api-keys/{id}/rotate': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/users': { by: 'admin', answers: 'users' },
  'POST /api/v1/admin/users': { by: 'admin', answers: 'id' },
  'GET /api/v1/admin/users/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/users/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/users/{id}/invitation': { by: 'admin', answers: 'invitation' },
  'GET /api/v1/admin/audit': { by: 'admin', answers: 'entries' },
  'POST /api/v1/leads/get-funnel-figures': { by: 'key', answers: 'messages' },
  'POST /api/v1/messages/get-template-figures': { by: 'key', answers: 'bot_id' },
  'POST /api/v1/leads/import': { by: 'key', answers: 'import_id' },
  'POST /api/v1/leads/get-import': {
    by: 'key',
    given: ({ answerOf }) => ({ body: { import_id: answerOf('POST /api/v1/leads/import').import_id } }),
    answers: 'import_id',
  },
  'POST /api/v1/leads/cancel-import': {
    by: 'key',
    given: ({ answerOf }) => ({ body: { import_id: answerOf('POST /api/v1/leads/import').import_id } }),
    answers: 'import_id',
  },
  'POST /api/v1/leads/export': { by: 'key', answers: 'file' },
  'GET /api/v1/admin/webhook-endpoints': { by: 'admin', answers: 'webhook_endpoints' },
  'POST /api/v1/admin/webhook-endpoints': { by: 'admin', answers: 'secret' },
  'GET /api/v1/admin/webhook-endpoints/{id}': { by: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/webhook-endpoints/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/webhook-endpoints/{id}/rotate-secret': { by: 'admin', answers: 'secret' },
  'GET /api/v1/admin/webhook-endpoints/{id}/deliveries': { by: 'admin', answers: 'deliveries' },
  'GET /api/v1/admin/webhook-deliveries/{id}': { by: 'admin', answers: 'request' },
  'POST /api/v1/admin/webhook-deliveries/{id}/retry': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/webhook-endpoints/{id}/replay': { by: 'admin', answers: 'queued' },
  'POST /api/v1/admin/webhook-endpoints/{id}/test': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/threads/{id}/export': { by: 'admin', answers: 'file' },
  'GET /api/v1/admin/webhook-rejects': { by: 'admin', answers: 'webhook_rejects' },
  'POST /api/v1/admin/webhook-rejects/{id}/retry': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/templates/{id}': { by: 'admin', answers: 'template_id' },
  'DELETE /api/v1/admin/assistants/{id}/tools/{tool_id}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/statuses/{id}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/scenarios/{id}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/bots/{id}/channels/{channel}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/api-keys/{id}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/users/{id}/sessions': { by: 'admin', answers: 'id' },
  'POST /api/v1/admin/threads/{id}/erase': { by: 'admin', answers: 'thread_id' },
  'DELETE /api/v1/admin/webhook-rejects/{id}': { by: 'admin', answers: 'id' },
  'DELETE /api/v1/admin/webhook-endpoints/{id}': { by: 'admin', answers: 'id' },
  'POST /api/v1/auth/sign-in': {
    by: 'nobody',
    given: ({ admin: { email, password } }) => ({ body: { email, password } }),
    answers: 'user',
  },
  'POST /api/v1/auth/accept-invitation': {
    by: 'nobody',
    given: ({ answerOf }) => ({
      body: { token: tokenOf(answerOf('POST /api/v1/admin/users').invitation.url), password: NEW_PASSWORD },
    }),
    answers: 'user',
  },
  'GET /api/v1/auth/me': { by: 'person', answers: 'user' },
  'POST /api/v1/auth/confirm': {
    by: 'person',
    given: ({ admin: { password } }) => ({ body: { password } }),
    answers: null,
  },
  'GET /api/v1/auth/sessions': { by: 'person', answers: 0 },
  'DELETE /api/v1/auth/sessions/{id}': {
    by: 'person',
    given: ({ otherSession: id }) => ({ params: { path: { id } } }),
    answers: null,
  },
  'POST /api/v1/auth/second-factor/begin': { by: 'person', answers: 'secret' },
  'POST /api/v1/auth/second-factor/enable': {
    by: 'person',
    given: ({ answerOf }) => ({
      body: {
        code: new TOTP({ secret: answerOf('POST /api/v1/auth/second-factor/begin').secret }).generate(),
      },
    }),
    answers: 'recovery_codes',
  },
  'POST /api/v1/auth/second-factor/disable': {
    by: 'person',
    given: ({ answerOf, admin: { password } }) => ({
      body: { password, code: answerOf('POST /api/v1/auth/second-factor/enable').recovery_codes[0] ?? '' },
    }),
    answers: null,
  },
  'POST /api/v1/auth/change-password': {
    by: 'person',
    given: ({ admin: { password: current } }) => ({ body: { current, password: NEW_PASSWORD } }),
    answers: null,
  },
  'POST /api/v1/auth/sign-out': { by: 'person', answers: null },
};
