import type { DataOf, Method, PathOf } from '@app/client/api-calls';
import type { Card } from '@app/contracts/board-events';
import type { ErrorCode } from '@app/contracts/error-codes';
import type {
  BotAnswer,
  BotChannelAnswer,
  GovernedTemplateAnswer,
  SignedInAnswer,
  UserAnswer,
} from '@app/client/api-types';

type Route = { [M in Method]: `${M} ${PathOf<M>}` }[Method];
type AnswerOf<R> = R extends `${infer M extends Method} ${infer Path}`
  ? Path extends PathOf<M>
    ? DataOf<M, Path>
    : never
  : never;

/** What the page asked for. */
export interface Call {
  route: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** The server refuses a call, or is not there. */
export interface Refusal {
  refused: {
    status?: number;
    code: ErrorCode | 'NETWORK';
    message?: string;
    details?: unknown;
    retryAfter?: number;
  };
}

type Given<R> = AnswerOf<R> | Refusal;

/** What the server answers, checked against the OpenAPI document. A function is asked at each call. */
export type Answers = { [R in Route]?: Given<R> | ((call: Call) => Given<R> | Promise<Given<R>>) };

export const refused = (code: ErrorCode, further: Partial<Refusal['refused']> = {}): Refusal => ({
  refused: { status: 422, code, ...further },
});

/** No answer comes. */
export const NO_ANSWER: Refusal = { refused: { code: 'NETWORK' } };

export const IDS = {
  account: '01930000-0000-7000-8000-000000000001',
  agent: '01930000-0000-7000-8000-0000000000a1',
  person: '01930000-0000-7000-8000-0000000000b1',
} as const;

const AT = '2026-03-02T08:00:00.000Z';

export const person = (given: Partial<UserAnswer> = {}): UserAnswer => ({
  ...{ id: IDS.person, account_id: IDS.account, assistant_ids: null, created_at: AT, disabled: false },
  ...{ email: 'aigerim@example.com', last_seen_at: AT, locale: 'en', name: 'Айгерим', role: 'admin' },
  second_factor: false,
  ...given,
});

export const signedIn = (user: Partial<UserAnswer> = {}): SignedInAnswer => ({
  account: { id: IDS.account, name: 'Harbour Coffee', second_factor_required: false },
  assistants: [{ id: IDS.agent, name: 'agent' }],
  csrf_token: 'forgery-token',
  user: person(user),
});

/** A lead of which nothing is to be said. */
export const card = (given: Partial<Card> = {}): Card => ({
  ...{ thread_id: 'thread_1', assistant_id: IDS.agent, bot_id: 'bot-1', channel: 'waba_coexistence' },
  ...{
    phone: '+77015551006',
    customer: {
      ...{ phone: '+77015551006', wa_id: '77015551006', user_id: null, username: null },
      phone_proven: false,
    },
    same_customer: [],
    conducted_elsewhere: false,
    customer_name: null,
    message_handler: 'AI',
    ai_enabled: true,
    opted_out: false,
  },
  ...{ takeover_until: null, waiting: false, waiting_since: null, waiting_reason: null },
  ...{ window_until: null, lead_status: null },
  ...{ status_set_at: null, status_set_by: null, status_cleared_at: null },
  ...{ last_message: null, unread_count: 0, attention: null },
  ...{ assignee: null, erased_at: null, created_at: AT, updated_at: AT, version: 1 },
  ...given,
});

/** A bot with a number at Meta. */
export const bot = (channel: Partial<BotChannelAnswer> = {}, given: Partial<BotAnswer> = {}): BotAnswer => ({
  ...{ id: 'bot-1', account_id: IDS.account, assistant_id: IDS.agent, created_at: AT, name: 'bot' },
  channels: [
    {
      ...{
        channel: 'waba_coexistence',
        connected: true,
        app_secret_set: false,
        messages_per_second: null,
        phone_country: 'KZ',
        sender: '100000000000066',
      },
      ...{ settings: { waba_id: '7100000000000066' }, stopped_reason: null },
      webhook_url: 'https://leads.example.com/webhooks/whatsapp',
      ...channel,
    },
  ],
  ...given,
});

export const template = (given: Partial<GovernedTemplateAnswer> = {}): GovernedTemplateAnswer => ({
  ...{ id: 'template-1', account_id: IDS.account, bot_id: 'bot-1', channel: 'waba_coexistence' },
  ...{ template_id: 'parcel', name: 'parcel', language: 'en', category: 'utility', status: 'draft' },
  ...{ body: 'Your parcel is here.', header: null, footer: null, buttons: [], examples: {} },
  ...{ param_names: [], params_count: 0, parameter_format: 'positional', provider_id: null, reason: null },
  ...{ quality: null, add_security_recommendation: false, code_expiration_minutes: null },
  ...{ created_at: AT, updated_at: AT, status_at: null },
  ...given,
});
