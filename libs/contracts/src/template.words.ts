/** The state of a template in moderation. Only an approved template can be sent. */
export const TEMPLATE_STATUSES = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled'] as const;

export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

export const TEMPLATE_CATEGORIES = ['marketing', 'utility', 'authentication'] as const;

export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export const PARAMETER_FORMATS = ['positional', 'named'] as const;

export type ParameterFormat = (typeof PARAMETER_FORMATS)[number];

/** Longest name of a variable, both when a template is made and when it is sent. */
export const VARIABLE_NAME_LENGTH_MAX = 100;

export type TemplateHeader =
  | { format: 'text'; text: string }
  | { format: 'image' | 'video' | 'document' | 'location' }
  /** Of a kind that we can neither fill nor submit. */
  | { format: 'other' };

/** How a one-time code gets from the message to where it is needed. */
export const OTP_TYPES = ['copy_code', 'one_tap', 'zero_tap'] as const;

export type OtpType = (typeof OTP_TYPES)[number];

export type TemplateButton =
  | { type: 'quick_reply'; text: string }
  | { type: 'url'; text: string; url: string }
  | { type: 'phone_number'; text: string; phone_number: string }
  | { type: 'copy_code'; text: string }
  /** Hands over the one-time code of an authentication template. Without a label WhatsApp writes its own. */
  | { type: 'otp'; text: string; otp_type: OtpType }
  /** Of a kind that we can neither fill nor submit: it keeps its place, by which the others are named. */
  | { type: 'other'; text: string };

/** How customers have taken a template, as the provider judges. */
export const TEMPLATE_QUALITIES = ['green', 'yellow', 'red', 'unknown'] as const;

export type TemplateQuality = (typeof TEMPLATE_QUALITIES)[number];

/** How long a one-time code may be said to be good, in minutes. */
export const CODE_EXPIRATION_MINUTES_MAX = 90;

/** What an authentication template consists of beside its button. */
export interface AuthenticationParts {
  /** Its text ends with advice to share the code with nobody. */
  addSecurityRecommendation: boolean;
  /** Its footer says for how long the code is good; null: it has none. */
  codeExpirationMinutes: number | null;
}

/**
 * What WhatsApp writes into an authentication template, in English: until it is approved and WhatsApp's own words in its
 * language are read.
 * Source: Meta, Authentication templates, "Copy code authentication templates".
 */
export function authenticationWords({
  addSecurityRecommendation,
  codeExpirationMinutes,
}: AuthenticationParts) {
  const advice = addSecurityRecommendation ? ' For your security, do not share this code.' : '';
  return {
    body: `*{{1}}* is your verification code.${advice}`,
    footer: codeExpirationMinutes === null ? null : `This code expires in ${codeExpirationMinutes} minutes.`,
  };
}
