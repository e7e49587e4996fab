import type { Channel } from '@app/contracts/message.words';
import type { TemplateStatus } from '@app/contracts/template.words';
import type { PendingTimers } from '../pending.timers';
import type { SandboxTemplate } from '../sandbox.options';

export interface StoredTemplate extends Required<SandboxTemplate> {
  reason: string | null;
  createdAt: number;
  changedAt: number;
  /** Sample values of the body's variables. */
  examples: readonly string[];
}

/** Told of every change of status. */
export type TemplateListener = (template: StoredTemplate) => void;

const TEMPLATES_MAX = 5_000;
/** A name with this word is rejected. */
const REJECTED_NAME = 'reject';

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

  /** Whose template it is does not matter to whoever tends the sandbox. */
  any(providerId: string): StoredTemplate | null {
    return this.templates.get(providerId) ?? null;
  }

  of(owner: string): StoredTemplate[] {
    return [...this.templates.values()].filter((template) => template.owner === owner);
  }

  /** Takes a new template for moderation, which decides by its name. */
  submit(template: Omit<SandboxTemplate, 'status'>, examples: readonly string[]): StoredTemplate {
    const stored = this.keep({ ...template, status: 'pending' }, examples);
    const rejected = template.name.includes(REJECTED_NAME);
    this.timers.after(this.moderationMs, () => {
      if (stored.status === 'pending')
        this.setStatus(stored, rejected ? 'rejected' : 'approved', rejected ? 'INVALID_FORMAT' : null);
    });
    return stored;
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
      ...template,
      reason: null,
      createdAt: now,
      changedAt: now,
      examples,
    };
    this.templates.set(stored.providerId, stored);
    this.names.set(nameKey(stored.owner, stored.name, stored.language), stored);
    return stored;
  }
}

const nameKey = (owner: string, name: string, language: string): string => `${owner} ${name} ${language}`;
