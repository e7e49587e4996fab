import type { TemplateStatus } from '@app/contracts/template.words';
import type { TemplateReport } from '@app/domain/webhooks/provider-events';
import { templateQualityOf } from '../../templates/template-words-mapping';
import type { ItemCollector } from '../../webhooks/item-collector';
import type { Fields } from '../../webhooks/item-fields';
import type { Change } from './cloud-change';

const NAME_LENGTH_MAX = 512;
const REASON_LENGTH_MAX = 1024;

/**
 * Our status for each event (Meta: template status). Null: the event does not change the status. FLAGGED is a warning, LOCKED
 * forbids edits, and an appeal changes nothing until it is decided. A deleted or archived template cannot be sent any
 * more, so it is disabled.
 */
const STATUS_OF_EVENT: ReadonlyMap<string, TemplateStatus | null> = new Map<string, TemplateStatus | null>([
  ['PENDING', 'pending'],
  ['APPROVED', 'approved'],
  ['REINSTATED', 'approved'],
  ['UNPAUSED', 'approved'],
  ['UNARCHIVED', 'approved'],
  ['REJECTED', 'rejected'],
  ['FAILED', 'rejected'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['LIMIT_EXCEEDED', 'disabled'],
  ['ARCHIVED', 'disabled'],
  ['DELETED', 'disabled'],
  ['PENDING_DELETION', 'disabled'],
  ['FLAGGED', null],
  ['LOCKED', null],
  ['IN_APPEAL', null],
]);

/** Undefined for an unknown event. Letter case does not count. */
export const templateStatusOf = (event: string): TemplateStatus | null | undefined =>
  STATUS_OF_EVENT.get(event.toUpperCase());

/** The field `message_template_status_update` (Meta: message_template_status_update). */
export function takeTemplateStatus(change: Change, items: ItemCollector): void {
  const { value, path } = change;
  const event = value.word('event') ?? '';
  const paused = value.object('other_info')?.value('title') === 'UNPAUSE';
  const status = templateStatusOf(paused ? 'UNPAUSED' : event);
  if (status === undefined) return items.ignore(path, `a template's event of "${event}"`);
  // WhatsApp has written the words of an authentication template, in its language: they are read once it is approved.
  const isEdited =
    status === 'approved' && value.word('message_template_category')?.toUpperCase() === 'AUTHENTICATION';
  items.add(path, { ...templateOf(change), status, reason: reasonOf(value), ...(isEdited && { isEdited }) });
}

/** The field `template_category_update`. Without a new category it only announces a change. */
export function takeTemplateCategory(change: Change, items: ItemCollector): void {
  const category = change.value.word('new_category');
  if (category === null) return items.ignore(change.path, 'a category that is to change');
  items.add(change.path, { ...templateOf(change), category: category.toLowerCase() });
}

/** The field `message_template_quality_update`. */
export function takeTemplateQuality(change: Change, items: ItemCollector): void {
  const quality = templateQualityOf(change.value.word('new_quality_score') ?? '');
  if (quality === null) return items.ignore(change.path, 'a quality that is not told');
  items.add(change.path, { ...templateOf(change), quality });
}

/** The field `message_template_components_update`. It tells less than the template has, so that is fetched. */
export function takeTemplateComponents(change: Change, items: ItemCollector): void {
  items.add(change.path, { ...templateOf(change), isEdited: true });
}

function templateOf({ value, businessId, at }: Change): TemplateReport {
  return {
    kind: 'template',
    providerId: value.requireId('message_template_id'),
    name: value.text('message_template_name', NAME_LENGTH_MAX) ?? '',
    // Some of Meta's examples have a hyphen (Meta: template languages).
    language: value.text('message_template_language', 32)?.replaceAll('-', '_') ?? null,
    status: null,
    category: null,
    reason: null,
    at,
    businessId,
  };
}

function reasonOf(value: Fields): string | null {
  const reason = value.text('reason', REASON_LENGTH_MAX);
  const rejection = value.object('rejection_info');
  const other = value.object('other_info');
  const parts = [
    reason === 'NONE' ? null : reason,
    rejection?.text('reason', REASON_LENGTH_MAX),
    rejection?.text('recommendation', REASON_LENGTH_MAX),
    other?.word('title'),
    other?.text('description', REASON_LENGTH_MAX),
    value.object('disable_info')?.text('disable_date', 64),
  ];
  return [...new Set(parts.filter(Boolean))].join(': ').slice(0, REASON_LENGTH_MAX) || null;
}
