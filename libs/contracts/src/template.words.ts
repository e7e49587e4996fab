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

export type TemplateButton =
  | { type: 'quick_reply'; text: string }
  | { type: 'url'; text: string; url: string }
  | { type: 'phone_number'; text: string; phone_number: string }
  | { type: 'copy_code'; text: string }
  /** Of a kind that we can neither fill nor submit: it keeps its place, by which the others are named. */
  | { type: 'other'; text: string };

/** How customers have taken a template, as the provider judges. */
export const TEMPLATE_QUALITIES = ['green', 'yellow', 'red', 'unknown'] as const;

export type TemplateQuality = (typeof TEMPLATE_QUALITIES)[number];
