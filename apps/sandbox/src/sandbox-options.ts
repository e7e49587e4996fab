import type { Channel } from '@app/contracts/message.words';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateHeader,
  TemplateStatus,
} from '@app/contracts/template.words';

/** A business's number at Meta. */
export interface CloudNumber {
  channel: 'waba_coexistence';
  /** The phone_number_id. */
  sender: string;
  /** As people dial it. */
  displayPhone: string;
  /** The WhatsApp business account, to which the templates belong. */
  businessId: string;
  /** The bearer token that is accepted. */
  token: string;
  /** Shown in the handset. */
  name?: string;
}

/** A business's number at Gupshup. */
export interface GupshupNumber {
  channel: 'waba';
  /** The source number, digits. */
  sender: string;
  displayPhone: string;
  /** The app, to which the templates belong. */
  appId: string;
  appName: string;
  /** The API key that is accepted. */
  token: string;
  name?: string;
}

export type SandboxNumber = CloudNumber | GupshupNumber;

export interface SandboxTemplate {
  channel: Channel;
  /** Cloud API: the business account; Gupshup: the app's id. */
  owner: string;
  /** Cloud API: digits; Gupshup: a UUID. */
  providerId: string;
  name: string;
  language: string;
  category: TemplateCategory;
  status: TemplateStatus;
  parameterFormat?: ParameterFormat;
  header?: TemplateHeader | null;
  body: string;
  footer?: string | null;
  buttons?: readonly TemplateButton[];
  /** Of an authentication template: what its text and footer are made of. */
  addSecurityRecommendation?: boolean;
  codeExpirationMinutes?: number | null;
}

/** A template that a provider had before the sandbox was started. */
export interface RecalledTemplate extends SandboxTemplate {
  /** Why it has its status, if the provider gave a reason. */
  reason: string | null;
  /** Sample values of the body's variables. */
  examples: readonly string[];
}

/** A customer who was in touch with a business before the sandbox was started. */
export interface RecalledCustomer {
  sender: string;
  phone: string;
  name: string | null;
  /** When the last message of the customer was written, milliseconds since 1970; null: there was none. */
  wroteAt: number | null;
}

/** What the providers know from the time before this sandbox was started. */
export interface SandboxMemory {
  templates: readonly RecalledTemplate[];
  customers: readonly RecalledCustomer[];
}

/** Where webhooks are sent; null: nowhere, and events show in the handset only. */
export interface SandboxWebhooks {
  cloud?: string | null;
  /** By source number. */
  gupshup?: Readonly<Record<string, string>>;
}

/** When a message's states are reported, in milliseconds after the message was accepted. */
export interface StateDelays {
  enqueued: number;
  sent: number;
  delivered: number;
  /** Added for messages whose answer was lost, so that the sender first has to manage without the report. */
  lost: number;
}

export interface RetryPlan {
  firstMs: number;
  longestMs: number;
  attempts: number;
}

export interface SandboxOptions {
  /** 0: a free one. */
  port?: number;
  host?: string;
  cloud?: { appSecret: string; verifyToken?: string; webhookUrl?: string | null };
  gupshup?: { webhooks?: Readonly<Record<string, string>> };
  numbers: readonly SandboxNumber[];
  templates?: readonly SandboxTemplate[];
  /** How long an accepted send waits for its answer. */
  latencyMs?: number;
  statusDelays?: Partial<StateDelays>;
  /** How long after its delivery a message counts as read; null: only a person at the handset reads. */
  readAfterMs?: number | null;
  /** How long moderation of a template takes. */
  moderationMs?: number;
  /**
   * The outcome of free text to a customer who has not written for a day: accepted and failed later, or refused at
   * once.
   */
  windowRefusal?: 'later' | 'at once';
  /** Webhooks that are not acknowledged are repeated. The wait doubles each time. */
  webhookRetry?: Partial<RetryPlan>;
  /** The scripted model's pause before each word, in milliseconds. */
  wordDelayMs?: number;
}

export interface SandboxSettings extends Required<
  Omit<SandboxOptions, 'statusDelays' | 'webhookRetry' | 'cloud' | 'gupshup'>
> {
  cloud: { appSecret: string; verifyToken: string };
  webhooks: SandboxWebhooks;
  statusDelays: StateDelays;
  webhookRetry: RetryPlan;
}

const DELAYS: StateDelays = { enqueued: 60, sent: 150, delivered: 400, lost: 1000 };
const RETRY: RetryPlan = { firstMs: 200, longestMs: 5000, attempts: 25 };

/** The options, with defaults for absent ones. */
export function completeOptions(options: SandboxOptions): SandboxSettings {
  const { statusDelays, webhookRetry, cloud, gupshup, ...given } = options;
  return {
    port: 0,
    host: '127.0.0.1',
    templates: [],
    latencyMs: 0,
    readAfterMs: null,
    moderationMs: 1500,
    windowRefusal: 'later',
    wordDelayMs: 0,
    ...given,
    cloud: { appSecret: cloud?.appSecret ?? '', verifyToken: cloud?.verifyToken ?? '' },
    webhooks: { cloud: cloud?.webhookUrl ?? null, gupshup: gupshup?.webhooks ?? {} },
    statusDelays: { ...DELAYS, ...statusDelays },
    webhookRetry: { ...RETRY, ...webhookRetry },
  };
}

/** The owner of a number's templates. */
export const ownerOf = (number: SandboxNumber): string =>
  number.channel === 'waba' ? number.appId : number.businessId;
