import type { Channel, MessageError } from '@app/contracts/message.words';
import type { TemplateCount } from '@app/persistence/figures/figure.repository';

export interface FailedMessages {
  code: MessageError['code'] | null;
  /** The provider's own number for it. */
  provider_code: number | null;
  messages: number;
}

/** Of one template in one language on one channel. Every message is counted in one of `queued`, `sent`, `failed` and `unknown`. */
export interface TemplateFigures {
  /** The name by which it was asked for, where it is not registered. */
  template_id: string;
  name: string;
  language: string;
  channel: Channel;
  category: string | null;
  messages: number;
  queued: number;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
  unknown: number;
  failed: number;
  failed_by_code: FailedMessages[];
}

/** What has been delivered was sent, and what has been read was delivered. */
const COUNTED_AS = {
  queued: ['queued'],
  sending: ['queued'],
  unknown: ['unknown'],
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
  failed: ['failed'],
} as const satisfies Record<string, readonly (keyof TemplateFigures)[]>;

/** The most sent ones first. */
export function templateFigures(counts: readonly TemplateCount[]): TemplateFigures[] {
  const templates = new Map<string, TemplateFigures>();
  for (const count of counts) {
    const of = beginningOf(count);
    const key = JSON.stringify([of.channel, of.language, of.template_id]);
    const figures = templates.get(key) ?? of;
    templates.set(key, figures);
    add(figures, count);
  }
  return [...templates.values()].sort(
    (one, other) => other.messages - one.messages || (keyOf(one) < keyOf(other) ? -1 : 1),
  );
}

function add(figures: TemplateFigures, count: TemplateCount): void {
  const { status, messages, replied, error_code: code, provider_code } = count;
  const columns = isCounted(status) ? COUNTED_AS[status] : [];
  figures.messages += messages;
  for (const column of columns) figures[column] += messages;
  if (columns.some((column) => column === 'sent')) figures.replied += replied;
  if (status === 'failed') figures.failed_by_code.push({ code, provider_code, messages });
}

const beginningOf = ({
  template,
  template_id,
  name,
  language,
  channel,
  category,
}: TemplateCount): TemplateFigures => ({
  ...{ template_id: template_id ?? template ?? '', name, language: language ?? '', channel, category },
  ...{ messages: 0, queued: 0, sent: 0, delivered: 0, read: 0, replied: 0, unknown: 0, failed: 0 },
  failed_by_code: [],
});

const isCounted = (status: string): status is keyof typeof COUNTED_AS => status in COUNTED_AS;
const keyOf = ({ template_id, language, channel }: TemplateFigures): string =>
  JSON.stringify([template_id, language, channel]);
