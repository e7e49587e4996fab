import type { Channel } from '@app/contracts/message.words';
import type { TemplateStatus } from '@app/contracts/template.words';
import type { PendingTimers } from '../pending-timers';
import type { RecalledTemplate, SandboxTemplate } from '../sandbox-options';

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

const KEPT_MAX = 10_000;
/** Templates are few and sent often. */
const kept = new Map<string, readonly string[]>();

/** The names of the distinct variables of a text, in order of their first occurrence; positional ones by number. */
export function variablesOf(text: string): readonly string[] {
  let names = kept.get(text);
  if (names) return names;
  names = findVariables(text);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(text, names);
  return names;
}

function findVariables(text: string): string[] {
  const names = new Set<string>();
  for (const [, name] of text.matchAll(VARIABLE)) if (name !== undefined) names.add(name);
  const all = [...names];
  return all.every((name) => /^[0-9]+$/.test(name)) ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

/** The text with its variables filled in. A variable without a value stays as it is. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.includes('{{')
    ? text.replace(VARIABLE, (whole, name: string) =>
        Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
      )
    : text;

/** Values with their variables, in the variables' order. */
export function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

export interface StoredTemplate extends Required<SandboxTemplate> {
  reason: string | null;
  createdAt: number;
  changedAt: number;
  /** Sample values of the body's variables. */
  examples: readonly string[];
  /** How often it was submitted. */
  reviews: number;
  /** When it was last edited while it was approved, in milliseconds; null: never. */
  editedAt: number | null;
}

/** The changes of an edit. Absent fields stay. */
export type TemplateEdit = Partial<
  Pick<
    StoredTemplate,
    | 'category'
    | 'header'
    | 'body'
    | 'footer'
    | 'buttons'
    | 'examples'
    | 'addSecurityRecommendation'
    | 'codeExpirationMinutes'
  >
>;

/** Called at every change of status. */
type TemplateListener = (template: StoredTemplate) => void;

const TEMPLATES_MAX = 5_000;
/**
 * A body with this word is rejected. A name with it is rejected the first time only, because an edit cannot change
 * the name.
 */
const REJECTED_WORD = 'reject';
/** Only these can be edited; an approved one once in 24 hours. */
const EDITABLE: readonly TemplateStatus[] = ['approved', 'rejected', 'paused'];
const EDIT_PAUSE_MS = 24 * 60 * 60 * 1000;

/** The templates of all business accounts and apps, and their moderation. */
export class TemplateStore {
  private readonly templates = new Map<string, StoredTemplate>();
  private readonly names = new Map<string, StoredTemplate>();
  private readonly listeners = new Map<Channel, TemplateListener>();

  constructor(
    templates: readonly SandboxTemplate[],
    private readonly timers: PendingTimers,
    private readonly moderationMs: number,
  ) {
    for (const template of templates) this.keep(template, []);
  }

  /** Stores a template from before the start, decided or pending. Nothing is reported. */
  recall({ reason, examples, ...template }: RecalledTemplate): void {
    this.keep(template, examples).reason = reason;
  }

  /** Submits a pending template from before the start, which is not moderated otherwise. */
  moderate(providerId: string): void {
    const template = this.templates.get(providerId);
    if (template) this.review(template, template.name.includes(REJECTED_WORD));
  }

  listen(channel: Channel, listener: TemplateListener): void {
    this.listeners.set(channel, listener);
  }

  get full(): boolean {
    return this.templates.size >= TEMPLATES_MAX;
  }

  byId(owner: string, providerId: string): StoredTemplate | null {
    const template = this.templates.get(providerId);
    return template?.owner === owner ? template : null;
  }

  byName(owner: string, name: string, language: string): StoredTemplate | null {
    return this.names.get(nameKey(owner, name, language)) ?? null;
  }

  /** The control API finds a template of any owner. */
  any(providerId: string): StoredTemplate | null {
    return this.templates.get(providerId) ?? null;
  }

  of(owner: string): StoredTemplate[] {
    return [...this.templates.values()].filter((template) => template.owner === owner);
  }

  /** Accepts a new template for moderation. */
  submit(template: Omit<SandboxTemplate, 'status'>, examples: readonly string[]): StoredTemplate {
    const stored = this.keep({ ...template, status: 'pending' }, examples);
    this.review(stored, stored.name.includes(REJECTED_WORD));
    return stored;
  }

  /** Why the template cannot be edited now; null: it can. */
  whyNotEditable({ status, editedAt }: StoredTemplate): string | null {
    if (!EDITABLE.includes(status)) return `A template that is ${status} cannot be edited.`;
    const isTooSoon = status === 'approved' && editedAt !== null && Date.now() - editedAt < EDIT_PAUSE_MS;
    return isTooSoon ? 'An approved template can be edited once in 24 hours.' : null;
  }

  /** Changes a template and submits it again. */
  edit(template: StoredTemplate, edit: TemplateEdit): void {
    if (template.status === 'approved') template.editedAt = Date.now();
    Object.assign(template, edit, { status: 'pending', reason: null, changedAt: Date.now() });
    this.review(template, false);
  }

  /** Moderation decides by the words, unless it is asked again or the control API decides first. */
  private review(template: StoredTemplate, rejectedName: boolean): void {
    const review = (template.reviews += 1);
    const rejected = rejectedName || template.body.includes(REJECTED_WORD);
    this.timers.after(this.moderationMs, () => {
      if (template.status === 'pending' && template.reviews === review)
        this.setStatus(template, rejected ? 'rejected' : 'approved', rejected ? 'INVALID_FORMAT' : null);
    });
  }

  setStatus(template: StoredTemplate, status: TemplateStatus, reason: string | null): void {
    template.status = status;
    template.reason = reason;
    template.changedAt = Date.now();
    this.listeners.get(template.channel)?.(template);
  }

  private keep(template: SandboxTemplate, examples: readonly string[]): StoredTemplate {
    const now = Date.now();
    const stored: StoredTemplate = {
      parameterFormat: 'positional',
      header: null,
      footer: null,
      buttons: [],
      addSecurityRecommendation: false,
      codeExpirationMinutes: null,
      ...template,
      reason: null,
      createdAt: now,
      changedAt: now,
      examples,
      reviews: 0,
      editedAt: null,
    };
    this.templates.set(stored.providerId, stored);
    this.names.set(nameKey(stored.owner, stored.name, stored.language), stored);
    return stored;
  }
}

const nameKey = (owner: string, name: string, language: string): string => `${owner} ${name} ${language}`;
