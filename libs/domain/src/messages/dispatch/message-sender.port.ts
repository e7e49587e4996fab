import type { TroubleCode, Channel } from '@app/contracts/message.words';
import type { MediaKind } from '@app/contracts/media.words';

/** A number of a bot at a provider, with everything needed to send by it. */
export interface ChannelConnection {
  accountId: string;
  botId: string;
  channel: Channel;
  /** Cloud API: the phone_number_id; Gupshup: the source number, digits. */
  sender: string;
  /** Cloud API: `waba_id`; Gupshup: `app_id` and `app_name`. */
  settings: Readonly<Record<string, string>>;
  /** Cloud API: the access token; Gupshup: the API key. It never appears in a log, an error or an answer. */
  credential: string;
}

/** The recipient: a phone with its plus, or the provider's user id where there is no phone. */
export type Recipient = { phone: string } | { userId: string };

/** A header's file: by public https address, or by the provider's media id. */
export type MediaReference = { link: string; filename?: string } | { id: string; filename?: string };

/** The template as the provider knows it, with its values. */
export interface TemplateContent {
  type: 'template';
  /** Cloud API: the name; Gupshup: the template's UUID. */
  name: string;
  language: string;
  /** Values of the body's variables, in order. */
  params: readonly string[];
  /** The names of the same variables, for templates with named variables. */
  paramNames?: readonly string[];
  header?:
    | { type: 'text'; text: string; name?: string }
    | { type: 'image' | 'video' | 'document'; media: MediaReference }
    | { type: 'location'; latitude: string; longitude: string; name?: string; address?: string };
  buttons?: readonly TemplateButtonValue[];
}

export type TemplateButtonValue =
  | { type: 'url'; index: number; text: string }
  | { type: 'quick_reply'; index: number; payload: string }
  | { type: 'copy_code'; index: number; code: string };

export interface TextContent {
  type: 'text';
  text: string;
}

/** The messenger's own request for the customer's phone: this text above a button of its own. */
export interface PhoneRequestContent {
  type: 'request_phone';
  text: string;
}

/** A file that its provider was given, or may fetch. */
export interface FileContent {
  type: 'file';
  kind: MediaKind;
  media: MediaReference;
  /** Empty: none. */
  caption: string;
}

export type OutgoingContent = TemplateContent | TextContent | PhoneRequestContent | FileContent;

/** A file of ours that a provider is to have. */
export interface FileToGive {
  /** As its sender named it. */
  name: string | null;
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Where anybody who has the address may fetch it, for an hour; null: this service has no public address. */
  link: string | null;
  /** @throws CodedError where we have the bytes no more, or cannot read them now. */
  open(): Promise<AsyncIterable<Uint8Array>>;
  /** Reads so little that it costs nothing. @throws CodedError as {@link open} does. */
  requireBytes(): Promise<void>;
}

/** Where a provider has a file, or why it has none. No customer got anything by that. */
export type GivenFile =
  | { kind: 'given'; media: MediaReference }
  /** The provider fetches files, and there is no address at which it could. */
  | { kind: 'no_address' }
  | {
      kind: 'failed';
      code: 'PROVIDER_ERROR' | 'BILLING_ERROR';
      providerCode: number | null;
      message: string;
      response: unknown;
      /** Whether the same would happen again. */
      isFinal: boolean;
      retryAfterSeconds?: number;
    };

/** A permit to make one request, checked in the tick in which its first byte would be written. */
export interface SendPermit {
  isValid(): boolean;
  /** The request is being written. Called once, before anything of the answer is seen. */
  used(): void;
}

/** A slot among the requests under way, kept for one message. */
export interface SendSlot {
  /** Gives it back, unless a request has it: then the request's end does so. */
  release(): void;
}

export interface OutgoingMessage {
  /** Our id of the message, passed along where the provider can return it with later states. */
  reference: string;
  to: Recipient;
  content: OutgoingContent;
  permit: SendPermit;
  /** Without one, a slot is taken when the request is made. */
  slot?: SendSlot;
}

/**
 * The outcome of one request. Only `throttled`, `not_connected` and `no_slot` may be tried again. `unknown` never
 * may, because the request may have been accepted.
 */
export type SendOutcome =
  | {
      kind: 'accepted';
      /** The provider's id of the message. */
      providerId: string;
      /** The digits by which WhatsApp knows the recipient, where the provider reports them. */
      waId?: string;
      /** The messenger's user id of the recipient, where it says so. */
      userId?: string;
    }
  | {
      kind: 'refused';
      code: 'PROVIDER_ERROR' | 'BILLING_ERROR';
      /** The provider's number for it, where it has one. */
      providerCode: number | null;
      /** A sentence that a person can act on. */
      message: string;
      response: unknown;
      /** The customer has told the provider to stop, so the dialog is marked as opted out. */
      optedOut?: boolean;
      /** What keeps the number from sending until a person has seen to it. */
      trouble?: TroubleCode;
    }
  | {
      kind: 'throttled';
      /** What to pause: the whole number, or this recipient only. */
      scope: 'number' | 'recipient';
      /** Null: the provider did not say. */
      retryAfterMs: number | null;
      providerCode: number | null;
      message: string;
      response: unknown;
    }
  | { kind: 'not_connected'; message: string }
  /** No byte left, because the permit was void by then. */
  | { kind: 'withheld'; message: string }
  /** It was not tried, because too many requests of ours are under way. It says nothing about the provider. */
  | { kind: 'no_slot'; message: string }
  | {
      kind: 'unknown';
      message: string;
      /**
       * What was received: JSON, or a string where it is no JSON, cut at 64 KiB; null only if nothing was received.
       */
      response: unknown;
    };

/**
 * Sends one message through a provider: at most one request, whatever happens. Never throws because of the provider
 * or the network. {@link MessageSenders} finds the sender of each channel.
 */
export abstract class MessageSender {
  abstract readonly channels: readonly Channel[];

  /** Whether a request of this number that begins in this tick would get a slot. */
  abstract hasSlot(connection: ChannelConnection): boolean;

  /** Keeps a slot for one message of this number. @returns null when too many requests are under way. */
  abstract keepSlot(connection: ChannelConnection): SendSlot | null;

  abstract send(connection: ChannelConnection, message: OutgoingMessage): Promise<SendOutcome>;

  /**
   * Gives a file to the provider, or makes an address of it, for one message. May be repeated. Never throws because of
   * the provider or the network.
   * @param signal ends it
   * @throws CodedError where our own bytes of it cannot be read
   */
  abstract giveFile(connection: ChannelConnection, file: FileToGive, signal: AbortSignal): Promise<GivenFile>;

  /** Marks a customer's message as read and, where asked and supported, shows that we are typing. Best effort. */
  abstract markRead(connection: ChannelConnection, messageId: string, typing: boolean): Promise<void>;
}

/** The adapter of each channel. */
export abstract class MessageSenders {
  abstract of(channel: Channel): MessageSender;
}
