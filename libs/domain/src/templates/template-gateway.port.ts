import type { Channel } from '@app/contracts/message.words';
import type {
  AuthenticationParts,
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateHeader,
  TemplateQuality,
  TemplateStatus,
} from '@app/contracts/template.words';
import type { ChannelConnection, FileToGive } from '../messages/dispatch/message-sender.port';

export interface TemplateDefinition extends AuthenticationParts {
  name: string;
  language: string;
  category: TemplateCategory;
  parameterFormat: ParameterFormat;
  header: TemplateHeader | null;
  body: string;
  footer: string | null;
  buttons: readonly TemplateButton[];
  /**
   * Sample values, which moderation requires: one for the header's variable, and the body's in order. Of a header's file
   * either an upload of ours, which the provider gets at the submission, or the provider's own handle.
   */
  examples: { header?: string; media_id?: string; body?: readonly string[] };
}

/** A template as the provider has it, with those samples that it tells. */
export interface ProviderTemplate extends TemplateDefinition {
  /** The provider's id. */
  providerId: string;
  status: TemplateStatus;
  quality: TemplateQuality | null;
  reason: string | null;
}

export type TemplateGatewayFailure = {
  ok: false;
  code: 'PROVIDER_ERROR' | 'BILLING_ERROR';
  message: string;
  response: unknown;
  /** The call may have succeeded: its answer was lost, or cannot be used. */
  mayHaveBeenTaken?: boolean;
};

/** What the provider has. */
export interface TemplateListing {
  ok: true;
  templates: ProviderTemplate[];
  /** How many more it has, in a form that we do not understand: which they are is not known for sure. */
  unreadable: number;
}

/** The provider has accepted a template for moderation. */
export interface TemplateTaken {
  ok: true;
  providerId: string;
  status: TemplateStatus;
}

/**
 * Templates at the provider: submission, edits, and what it has. The sample is the file of a header, of a channel that
 * {@link takesSamples}.
 */
export abstract class TemplateGateway {
  abstract readonly channels: readonly Channel[];
  abstract readonly takesSamples: boolean;

  abstract create(
    connection: ChannelConnection,
    template: TemplateDefinition,
    sample: FileToGive | null,
  ): Promise<TemplateTaken | TemplateGatewayFailure>;

  /** Replaces the content of a template that the provider has. Its name, language and format stay. */
  abstract edit(
    connection: ChannelConnection,
    providerId: string,
    template: TemplateDefinition,
    sample: FileToGive | null,
  ): Promise<TemplateTaken | TemplateGatewayFailure>;

  /** All templates of the number's account at the provider, from all pages: without one of them it fails. */
  abstract list(connection: ChannelConnection): Promise<TemplateListing | TemplateGatewayFailure>;

  /** One template, by the provider's id. */
  abstract fetch(
    connection: ChannelConnection,
    providerId: string,
  ): Promise<{ ok: true; template: ProviderTemplate } | TemplateGatewayFailure>;
}

/** The adapter of each channel. */
export abstract class TemplateGateways {
  abstract of(channel: Channel): TemplateGateway;
}
