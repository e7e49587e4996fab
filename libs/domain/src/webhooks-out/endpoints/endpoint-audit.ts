import type { Changed } from '@app/persistence/audit/audit.repository';
import type { DeliveryRow } from '@app/persistence/webhooks-out/delivery-list.repository';
import type { AuditedEndpoint, EndpointRow } from '@app/persistence/webhooks-out/webhook-endpoint.repository';
import type { AuditedAct } from '../../audit/audit.service';
import { differencesOf, type AuditedThing } from '../../audit/audited-thing';
import { presentSettings } from './endpoint.presenter';

type EndpointSubject = Pick<EndpointRow, 'account_id' | 'id' | 'url'>;

/** People know an endpoint by its address. */
export const ofEndpoint = ({
  account_id: accountId,
  id,
  url: name,
}: EndpointSubject): AuditedAct['subject'] => ({
  type: 'webhook_endpoint',
  ...{ accountId, id, name },
});

export const ofDelivery = ({
  account_id: accountId,
  id,
  type: name,
}: DeliveryRow): AuditedAct['subject'] => ({
  type: 'webhook_delivery',
  ...{ accountId, id, name },
});

/** As admins see it; of the secret only that it is another. */
type ShownEndpoint = ReturnType<typeof presentSettings> & Pick<AuditedEndpoint, 'secret'>;

const SHOWN_ENDPOINT: AuditedThing<ShownEndpoint> = {
  type: 'webhook_endpoint',
  subjectOf: ofEndpoint,
  shown: ['url', 'events', 'assistant_ids', 'max_per_second', 'description', 'disabled', 'disabled_reason'],
  secret: ['secret'],
};

const shown = (row: AuditedEndpoint): ShownEndpoint => ({ ...presentSettings(row), secret: row.secret });

/** What differs of an endpoint; null: nothing. */
export function endpointAct({ before, after }: Changed<AuditedEndpoint>): AuditedAct | null {
  const row = after ?? before;
  const change = { before: before && shown(before), after: after && shown(after) };
  const differences = differencesOf(SHOWN_ENDPOINT, change);
  return row && differences && { subject: ofEndpoint(row), ...differences };
}
