import type {
  NewDelivery,
  WebhookDeliveryRepository,
} from '@app/persistence/webhooks/webhook-delivery.repository';
import type { WorkNotifier } from '../work/work-notifier';
import type { WebhookDeliveries } from './webhook-deliveries.service';
import { WebhookIntake } from './webhook-intake.service';

const BODY = Buffer.from('{"metadata":{"phone_number_id":"10002"}}');
const SIGNER = { sender: '10001', identity: 'account/bot/waba_coexistence/10001' };

async function stored(signers: (typeof SIGNER)[] | null): Promise<NewDelivery | undefined> {
  const kept: NewDelivery[] = [];
  const deliveries = { store: async (delivery: NewDelivery) => kept.push(delivery) };
  const intake = new WebhookIntake(
    deliveries as unknown as WebhookDeliveryRepository,
    { isClaimComing: true } as WebhookDeliveries,
    {} as WorkNotifier,
  );
  await intake.take('cloud', BODY, signers);
  return kept[0];
}

it('a webhook waits among those of the number that it names', async () => {
  expect(await stored(null)).toMatchObject({ group: '10002', signedFor: null });
});

it('one that a number’s own app signed waits among those of that number, whichever it names', async () => {
  expect(await stored([SIGNER])).toMatchObject({ group: '10001', signedFor: [SIGNER.identity] });
});
