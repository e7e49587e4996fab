import { randomInt } from 'node:crypto';
import type { CallOf, DataOf, Method, PathOf } from '@app/client/api-calls';
import type { ErrorCode } from '@app/contracts/error-codes';
import type { AccessRule } from '@app/domain/accounts/access-table';
import type { AuditAction } from '@app/domain/audit/audit-actions';
import { TOTP } from 'otpauth';
import { tokenOf, PASSWORD } from './clients/session.client';
import type { Things } from './scenes/access.scene';
import { businessOf } from './stand-ins/provider.numbers';

/** An operation of the client's types, such as `POST /api/v1/leads/get-lead`. */
export type OperationName = { [M in Method]: `${Uppercase<M>} ${PathOf<M>}` }[Method];

type MethodOf<Name extends OperationName> = Name extends `${infer M} ${string}` ? Lowercase<M> : never;
type PathIn<Name extends OperationName> = Name extends `${string} ${infer Path}` ? Path : never;
type KeysOf<Data> = Data extends readonly unknown[] ? number : Data extends object ? keyof Data : never;

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

/** What the calls before have answered in a demo, and who signs in there. */
export interface DemoWalk {
  answerOf: <Name extends OperationName>(name: Name) => AnswerOf<Name>;
  admin: { email: string; password: string };
  /** Of a session that the admin has besides. */
  otherSession: string;
}

/** Who may call an operation, and on which counter of a key it counts: the contract, written down without the product's table. */
export const CALLERS = {
  anybody: null,
  lead: { counter: 'leads', scopes: ['leads'], role: 'operator' },
  message: { counter: 'general', scopes: ['messages'], role: 'operator' },
  dialog: { counter: 'general', scopes: ['messages', 'leads'], role: 'operator' },
  /** Of sessions and presence: no key may. */
  person: { counter: 'general', scopes: [], role: 'operator' },
  /** What an operator reads of the administration. */
  reader: { counter: 'general', scopes: ['admin'], role: 'operator' },
  admin: { counter: 'general', scopes: ['admin'], role: 'admin' },
  installation: { counter: 'general', scopes: ['admin'], role: null },
} as const satisfies Record<string, AccessRule | null>;

export interface CatalogRow<Name extends OperationName = OperationName> {
  who: keyof typeof CALLERS;
  /** By a session it needs the password again: keys, people, secrets and exports, and where events go. */
  confirmed?: true;
  /** The audit entry that it leaves. */
  audit?: AuditAction;
  /** What of its body is other than in the document's example; identifiers are filled in by their names. */
  body?: (own: Things) => object;
  query?: string;
  /** Makes what it names ready: `$1` is the account, `$2` the thing in the path. */
  before?: string;
  /** How it is refused where there is no model, form or app for codes. */
  here?: ErrorCode;
  /** What a demo is asked, where it is not the document's own example. */
  inDemo?: (walk: DemoWalk) => GivenTo<Name>;
  /** A field that the demo's answer has; null: it has none; `file`: it is one. Or the code of a refusal. */
  answers: KeysOf<AnswerOf<Name>> | null | 'file' | { refused: ErrorCode };
}

export const NEW_PASSWORD = 'eleven loud rivers';

/** What was given as a secret, and may stand nowhere. */
export const secrets: string[] = [];
function secret(): string {
  const made = `given-${randomInt(1e14).toString(36)}-secret`;
  secrets.push(made);
  return made;
}

/** A word of digits that no other call has. */
const word = (): string => String(randomInt(1e13, 9e13));

const HOOK = { kind: 'http', method: 'POST', url: 'https://example.com/' };
const UNKNOWN_STEP = JSON.stringify([
  { index: 0, state: 'unknown', started_at: '2026-01-01T00:00:00Z', finished_at: null, attempts: 1 },
]);
/** No worker has the run in hand, nor will have, and no other run of its dialog is under way. */
const runIs = (state: 'waiting' | 'cancelled'): string =>
  `WITH queue AS (DELETE FROM scenario_queues q USING scenario_runs r
                   WHERE r.account_id = $1 AND r.id = $2 AND q.account_id = $1 AND q.thread_id = r.thread_id),
        others AS (UPDATE scenario_runs o SET state = 'cancelled', finished_at = now() FROM scenario_runs r
                    WHERE r.account_id = $1 AND r.id = $2 AND o.account_id = $1 AND o.thread_id = r.thread_id
                      AND o.id <> r.id AND o.finished_at IS NULL)
   UPDATE scenario_runs r SET state = '${state}', finished_at = ${state === 'waiting' ? 'NULL' : 'now()'},
          progress = '${state === 'waiting' ? UNKNOWN_STEP : '[]'}', started_at = clock_timestamp(), entered_at = t.status_set_at
     FROM threads t WHERE r.account_id = $1 AND r.id = $2 AND t.account_id = $1 AND t.id = r.thread_id`;

/**
 * Each operation, in the order in which it is called: first what reads and changes, then what takes away, then the calls
 * of people. It does not compile while one is missing, and a test holds it to the document.
 */
export const CATALOG: { [Name in OperationName]: CatalogRow<Name> } = {
  'GET /health/live': { who: 'anybody', answers: 'status' },
  'GET /health/ready': { who: 'anybody', answers: 'status' },
  'GET /api/v1/admin/work': { who: 'admin', answers: 'queues' },
  'POST /api/v1/leads/get-statuses': { who: 'lead', answers: 'assistant_id' },
  'POST /api/v1/leads/get-lead': { who: 'lead', answers: 'thread_id' },
  'POST /api/v1/leads/set-status': { who: 'lead', answers: 'thread_id' },
  'POST /api/v1/leads/set-status-bulk': { who: 'lead', answers: 'results' },
  'POST /api/v1/leads/get-history': { who: 'lead', answers: 'entries' },
  'POST /api/v1/leads/set-name': { who: 'lead', answers: 'thread_id' },
  'POST /api/v1/leads/clear-attention': { who: 'lead', answers: 'thread_id' },
  'POST /api/v1/leads/assign': { who: 'lead', answers: 'thread_id' },
  'POST /api/v1/leads/get-assignees': { who: 'lead', answers: 'assignees' },
  'POST /api/v1/leads/set-ai': { who: 'lead', answers: 'thread_id' },
  'GET /api/v1/messages/media/{id}': { who: 'message', answers: 'file' },
  'POST /api/v1/messages/upload-media': { who: 'message', here: 'VALIDATION_ERROR', answers: 'media' },
  'GET /files/{token}': {
    who: 'anybody',
    inDemo: () => ({ params: { path: { token: 'none' } } }),
    answers: { refused: 'MEDIA_NOT_FOUND' },
  },
  'POST /api/v1/messages/send-template': { who: 'message', answers: 'status' },
  'POST /api/v1/messages/send-text': { who: 'message', answers: 'message_id' },
  'POST /api/v1/messages/request-phone': { who: 'message', answers: 'message_id' },
  'POST /api/v1/messages/get-batch': { who: 'message', answers: 'batch_id' },
  'POST /api/v1/messages/get-batches': { who: 'message', answers: 'batches' },
  'POST /api/v1/messages/get-message': { who: 'message', answers: 'id' },
  'POST /api/v1/messages/settle-message': { who: 'message', answers: 'id' },
  'POST /api/v1/messages/mark-read': { who: 'message', answers: 'thread_id' },
  'POST /api/v1/messages/add-note': { who: 'message', answers: 'id' },
  'POST /api/v1/messages/get-templates': { who: 'message', answers: 'templates' },
  'GET /api/v1/admin/templates': { who: 'reader', answers: 'templates' },
  'POST /api/v1/admin/templates': {
    who: 'admin',
    audit: 'template.create',
    body: () => {
      const name = `hello_${word()}`;
      return { name, template_id: name };
    },
    answers: 'template_id',
  },
  'GET /api/v1/admin/templates/{id}': { who: 'reader', answers: 'template_id' },
  'PATCH /api/v1/admin/templates/{id}': { who: 'admin', audit: 'template.update', answers: 'template_id' },
  'POST /api/v1/admin/templates/{id}/submit': {
    who: 'admin',
    audit: 'template.submit',
    answers: 'template_id',
  },
  'POST /api/v1/admin/templates/synchronize': {
    who: 'admin',
    audit: 'template.synchronize',
    answers: 'listed',
  },
  'POST /api/v1/messages/get-threads': { who: 'dialog', answers: 'threads' },
  'POST /api/v1/messages/get-messages': { who: 'dialog', answers: 'messages' },
  'GET /api/v1/admin/assistants': { who: 'reader', answers: 'assistants' },
  'POST /api/v1/admin/assistants': { who: 'admin', audit: 'assistant.create', answers: 'id' },
  'GET /api/v1/admin/assistants/{id}': { who: 'reader', answers: 'id' },
  'PATCH /api/v1/admin/assistants/{id}': { who: 'admin', audit: 'assistant.update', answers: 'id' },
  'GET /api/v1/admin/assistants/{id}/tools': { who: 'admin', answers: 'tools' },
  'POST /api/v1/admin/assistants/{id}/tools': {
    who: 'admin',
    confirmed: true,
    audit: 'tool.create',
    body: () => ({ name: `tool_${word()}`, headers: { 'X-Token': secret() } }),
    answers: 'id',
  },
  'PATCH /api/v1/admin/assistants/{id}/tools/{tool_id}': {
    who: 'admin',
    confirmed: true,
    audit: 'tool.update',
    body: () => ({ headers: { 'X-Token': secret() } }),
    answers: 'id',
  },
  'POST /api/v1/admin/assistants/{id}/try': { who: 'admin', here: 'MODEL_ERROR', answers: 'reply' },
  'GET /api/v1/admin/statuses': { who: 'reader', answers: 'statuses' },
  'POST /api/v1/admin/statuses': { who: 'admin', audit: 'status.create', answers: 'id' },
  'GET /api/v1/admin/statuses/{id}': { who: 'reader', answers: 'id' },
  'PATCH /api/v1/admin/statuses/{id}': { who: 'admin', audit: 'status.update', answers: 'id' },
  'GET /api/v1/admin/scenarios': { who: 'reader', answers: 'scenarios' },
  'POST /api/v1/admin/scenarios': {
    who: 'admin',
    audit: 'scenario.create',
    body: ({ stage }) => ({
      steps: [
        { kind: 'set_status', status_id: stage },
        { ...HOOK, headers: { Authorization: secret() } },
      ],
    }),
    answers: 'id',
  },
  'GET /api/v1/admin/scenarios/{id}': { who: 'reader', answers: 'id' },
  'POST /api/v1/admin/scenarios/{id}/start': {
    who: 'admin',
    audit: 'scenario.start',
    body: ({ thread }) => ({ thread_ids: [thread], whole_stage: undefined, dry_run: undefined }),
    answers: 'started',
  },
  'PATCH /api/v1/admin/scenarios/{id}': {
    who: 'admin',
    audit: 'scenario.update',
    body: () => ({ state: 'on', name: word() }),
    answers: 'id',
  },
  'POST /api/v1/admin/scenarios/{id}/cancel-runs': {
    who: 'admin',
    audit: 'scenario.cancel_runs',
    answers: 'cancelled',
  },
  'POST /api/v1/admin/scenarios/{id}/rotate-secret': {
    who: 'admin',
    confirmed: true,
    audit: 'scenario.rotate_secret',
    answers: 'signing_secret',
  },
  'GET /api/v1/admin/scenario-runs': { who: 'reader', answers: 'runs' },
  'GET /api/v1/admin/scenario-runs/{id}': { who: 'reader', answers: 'id' },
  'POST /api/v1/admin/scenario-runs/{id}/cancel': {
    who: 'admin',
    audit: 'run.cancel',
    before: runIs('waiting'),
    answers: 'id',
  },
  'POST /api/v1/admin/scenario-runs/{id}/retry': {
    who: 'admin',
    audit: 'run.retry',
    before: runIs('cancelled'),
    answers: 'id',
  },
  'POST /api/v1/admin/scenario-runs/{id}/steps/{index}/resolve': {
    who: 'admin',
    audit: 'run.resolve',
    before: runIs('waiting'),
    answers: 'id',
  },
  'POST /api/v1/admin/scenarios/{id}/try': { who: 'admin', answers: 'steps' },
  'GET /api/v1/admin/bots': { who: 'reader', answers: 'bots' },
  'POST /api/v1/admin/bots': { who: 'admin', audit: 'bot.create', answers: 'id' },
  'GET /api/v1/admin/bots/{id}': { who: 'reader', answers: 'id' },
  'PATCH /api/v1/admin/bots/{id}': { who: 'admin', audit: 'bot.update', answers: 'id' },
  'PUT /api/v1/admin/bots/{id}/channels/{channel}': {
    who: 'admin',
    confirmed: true,
    audit: 'channel.connect',
    body: () => {
      const sender = word();
      return { sender, credential: secret(), settings: { waba_id: businessOf(sender) } };
    },
    answers: 'id',
  },
  'POST /api/v1/admin/bots/{id}/channels/{channel}/test': {
    who: 'admin',
    audit: 'channel.test',
    answers: 'ok',
  },
  'GET /api/v1/admin/accounts': { who: 'admin', answers: 'accounts' },
  'POST /api/v1/admin/accounts': { who: 'installation', audit: 'account.create', answers: 'id' },
  'GET /api/v1/admin/accounts/{id}': { who: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/accounts/{id}': {
    who: 'admin',
    audit: 'account.update',
    body: () => ({ name: word(), monthly_message_quota: undefined, media_quota_bytes: undefined }),
    answers: 'id',
  },
  'GET /api/v1/admin/api-keys': { who: 'admin', answers: 'api_keys' },
  'POST /api/v1/admin/api-keys': { who: 'admin', confirmed: true, audit: 'key.create', answers: 'id' },
  'PATCH /api/v1/admin/api-keys/{id}': { who: 'admin', confirmed: true, audit: 'key.update', answers: 'id' },
  'POST /api/v1/admin/api-keys/{id}/rotate': {
    who: 'admin',
    confirmed: true,
    audit: 'key.rotate',
    answers: 'id',
  },
  'GET /api/v1/admin/users': { who: 'admin', answers: 'users' },
  'POST /api/v1/admin/users': {
    who: 'admin',
    confirmed: true,
    audit: 'user.create',
    body: () => ({ email: `${word()}@example.com` }),
    answers: 'id',
  },
  'GET /api/v1/admin/users/{id}': { who: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/users/{id}': {
    who: 'admin',
    confirmed: true,
    audit: 'user.update',
    body: () => ({ email: `${word()}@example.com` }),
    answers: 'id',
  },
  'POST /api/v1/admin/users/{id}/invitation': {
    who: 'admin',
    confirmed: true,
    audit: 'user.invite',
    answers: 'invitation',
  },
  'GET /api/v1/admin/audit': { who: 'admin', answers: 'entries' },
  'POST /api/v1/leads/get-funnel-figures': { who: 'lead', answers: 'messages' },
  'POST /api/v1/messages/get-template-figures': { who: 'message', answers: 'bot_id' },
  'POST /api/v1/leads/import': { who: 'lead', here: 'VALIDATION_ERROR', answers: 'import_id' },
  'POST /api/v1/leads/get-import': {
    who: 'lead',
    inDemo: ({ answerOf }) => ({ body: { import_id: answerOf('POST /api/v1/leads/import').import_id } }),
    answers: 'import_id',
  },
  'POST /api/v1/leads/cancel-import': {
    who: 'lead',
    inDemo: ({ answerOf }) => ({ body: { import_id: answerOf('POST /api/v1/leads/import').import_id } }),
    answers: 'import_id',
  },
  'POST /api/v1/leads/export': { who: 'lead', confirmed: true, audit: 'lead.export', answers: 'file' },
  'GET /api/v1/admin/webhook-endpoints': { who: 'admin', answers: 'webhook_endpoints' },
  'POST /api/v1/admin/webhook-endpoints': {
    who: 'admin',
    confirmed: true,
    audit: 'webhook_endpoint.create',
    answers: 'secret',
  },
  'GET /api/v1/admin/webhook-endpoints/{id}': { who: 'admin', answers: 'id' },
  'PATCH /api/v1/admin/webhook-endpoints/{id}': {
    who: 'admin',
    confirmed: true,
    audit: 'webhook_endpoint.update',
    answers: 'id',
  },
  'POST /api/v1/admin/webhook-endpoints/{id}/rotate-secret': {
    who: 'admin',
    confirmed: true,
    audit: 'webhook_endpoint.rotate_secret',
    answers: 'secret',
  },
  'GET /api/v1/admin/webhook-endpoints/{id}/deliveries': { who: 'admin', answers: 'deliveries' },
  'GET /api/v1/admin/webhook-deliveries/{id}': { who: 'admin', answers: 'request' },
  'POST /api/v1/admin/webhook-deliveries/{id}/retry': {
    who: 'admin',
    audit: 'webhook_delivery.retry',
    answers: 'id',
  },
  'POST /api/v1/admin/webhook-endpoints/{id}/replay': {
    who: 'admin',
    audit: 'webhook_endpoint.replay',
    answers: 'queued',
  },
  'POST /api/v1/admin/webhook-endpoints/{id}/test': {
    who: 'admin',
    audit: 'webhook_endpoint.test',
    answers: 'id',
  },
  'POST /api/v1/admin/threads/{id}/export': {
    who: 'admin',
    confirmed: true,
    audit: 'thread.export',
    answers: 'file',
  },
  'GET /api/v1/admin/webhook-rejects': { who: 'admin', answers: 'webhook_rejects' },
  'POST /api/v1/admin/webhook-rejects/{id}/retry': {
    who: 'admin',
    audit: 'webhook_reject.retry',
    answers: 'id',
  },
  'DELETE /api/v1/admin/templates/{id}': {
    before: `UPDATE templates SET status = 'draft', provider_id = NULL WHERE account_id = $1 AND id = $2`,
    who: 'admin',
    audit: 'template.delete',
    answers: 'template_id',
  },
  'DELETE /api/v1/admin/assistants/{id}/tools/{tool_id}': {
    who: 'admin',
    audit: 'tool.delete',
    answers: 'id',
  },
  'DELETE /api/v1/admin/scenarios/{id}': { who: 'admin', audit: 'scenario.archive', answers: 'id' },
  'DELETE /api/v1/admin/statuses/{id}': {
    who: 'admin',
    audit: 'status.archive',
    query: 'move_to=none',
    answers: 'id',
  },
  'DELETE /api/v1/admin/bots/{id}/channels/{channel}': {
    who: 'admin',
    audit: 'channel.disconnect',
    answers: 'id',
  },
  'DELETE /api/v1/admin/api-keys/{id}': { who: 'admin', confirmed: true, audit: 'key.revoke', answers: 'id' },
  'DELETE /api/v1/admin/users/{id}/sessions': {
    before: `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
      SELECT $1, id, $2, sha256(id::text::bytea), '127.0.0.1', '127.0.0.1', 'a browser' FROM gen_random_uuid() id`,
    who: 'admin',
    confirmed: true,
    audit: 'user.end_sessions',
    answers: 'id',
  },
  'POST /api/v1/admin/threads/{id}/erase': { who: 'admin', audit: 'thread.erase', answers: 'thread_id' },
  'DELETE /api/v1/admin/webhook-rejects/{id}': {
    who: 'admin',
    audit: 'webhook_reject.delete',
    answers: 'id',
  },
  'DELETE /api/v1/admin/webhook-endpoints/{id}': {
    who: 'admin',
    audit: 'webhook_endpoint.delete',
    answers: 'id',
  },
  'POST /api/v1/auth/sign-in': {
    who: 'anybody',
    inDemo: ({ admin: { email, password } }) => ({ body: { email, password } }),
    answers: 'user',
  },
  'POST /api/v1/auth/accept-invitation': {
    who: 'anybody',
    inDemo: ({ answerOf }) => ({
      body: { token: tokenOf(answerOf('POST /api/v1/admin/users').invitation.url), password: NEW_PASSWORD },
    }),
    answers: 'user',
  },
  'GET /api/v1/auth/me': { who: 'person', answers: 'user' },
  'POST /api/v1/auth/confirm': {
    who: 'person',
    body: () => ({ password: PASSWORD }),
    inDemo: ({ admin: { password } }) => ({ body: { password } }),
    answers: null,
  },
  'GET /api/v1/auth/sessions': { who: 'person', answers: 0 },
  'DELETE /api/v1/auth/sessions/{id}': {
    who: 'person',
    audit: 'session.end',
    inDemo: ({ otherSession: id }) => ({ params: { path: { id } } }),
    answers: null,
  },
  'POST /api/v1/auth/second-factor/begin': { who: 'person', audit: 'second_factor.begin', answers: 'secret' },
  'POST /api/v1/auth/second-factor/enable': {
    who: 'person',
    // The code is of an app that is not here.
    here: 'VALIDATION_ERROR',
    inDemo: ({ answerOf }) => ({
      body: {
        code: new TOTP({ secret: answerOf('POST /api/v1/auth/second-factor/begin').secret }).generate(),
      },
    }),
    answers: 'recovery_codes',
  },
  'POST /api/v1/auth/second-factor/disable': {
    who: 'person',
    audit: 'second_factor.disable',
    // As above, and the document's password is not theirs.
    here: 'WRONG_PASSWORD',
    inDemo: ({ answerOf, admin: { password } }) => ({
      body: { password, code: answerOf('POST /api/v1/auth/second-factor/enable').recovery_codes[0] ?? '' },
    }),
    answers: null,
  },
  'POST /api/v1/auth/change-password': {
    who: 'person',
    audit: 'user.change_password',
    body: () => ({ current: PASSWORD, password: secret() }),
    inDemo: ({ admin: { password: current } }) => ({ body: { current, password: NEW_PASSWORD } }),
    answers: null,
  },
  'POST /api/v1/auth/sign-out': { who: 'person', audit: 'session.end', answers: null },
};
