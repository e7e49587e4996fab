import { createHmac } from 'node:crypto';
import type { NumberSecret, NumberSecrets } from '@app/domain/webhooks/number-secrets.service';
import type { ExecutionContext } from '@nestjs/common';
import { challengeOf, VerificationRefusedError, CloudWebhookGuard } from './cloud-webhooks.controller';
import type { ReceivedRequest, WebhookBodyReader } from './webhook-body-reader';

const TOKEN = 'a token that Meta was given';
const KNOWN = { 'hub.mode': 'subscribe', 'hub.verify_token': TOKEN, 'hub.challenge': '1158201444' };

it('the challenge of a caller who knows the token is answered as it is', () => {
  expect(challengeOf(KNOWN, TOKEN)).toBe('1158201444');
});

it.each<[string, Record<string, unknown>]>([
  ['another token', { 'hub.verify_token': 'wrong' }],
  ['no token', { 'hub.verify_token': undefined }],
  ['two tokens', { 'hub.verify_token': [TOKEN, TOKEN] }],
  ['another mode', { 'hub.mode': 'unsubscribe' }],
  ['no mode', { 'hub.mode': undefined }],
  ['no challenge', { 'hub.challenge': undefined }],
  ['an empty challenge', { 'hub.challenge': '' }],
  ['two challenges', { 'hub.challenge': ['1', '2'] }],
  ['a challenge with a meaning to browsers', { 'hub.challenge': '<script>' }],
  ['a challenge of two lines', { 'hub.challenge': '1\n' }],
  ['an endless challenge', { 'hub.challenge': '1'.repeat(300) }],
])('%s is refused', (_, given) => {
  expect(() => challengeOf({ ...KNOWN, ...given }, TOKEN)).toThrow(VerificationRefusedError);
});

const BODY = Buffer.from('{"object":"whatsapp_business_account"}');
const [ONE, OTHER] = ['1', '2'].map((sender) => ({ sender, identity: `of ${sender}` }));

/** @param named the secrets of the numbers that the body names */
function open(named: NumberSecret[] = []) {
  let looks = 0;
  const guard = new CloudWebhookGuard(
    { appSecrets: ['secret of one app', 'secret of another'], verifyToken: '', gupshupToken: '' },
    { namedIn: async () => ((looks += 1), named) } as unknown as NumberSecrets,
    { read: () => Promise.resolve(BODY) } as unknown as WebhookBodyReader,
  );
  /** By whom a body with a signature by the secret is signed, where it is admitted. */
  const admit = async (secret: string) => {
    const signature = createHmac('sha256', secret).update(BODY).digest('hex');
    const request = { headers: { 'x-hub-signature-256': `sha256=${signature}` } };
    const http = { getRequest: () => request, getResponse: () => ({}) };
    await guard.canActivate({ switchToHttp: () => http } as unknown as ExecutionContext);
    return (request as unknown as ReceivedRequest).signers;
  };
  return { admit, looks: () => looks };
}

it.each(['secret of one app', 'secret of another'])(
  'webhooks of each app of the installation are admitted, and no number is asked for: %s',
  async (secret) => {
    const { admit, looks } = open([{ secret, numbers: [ONE!] }]);
    expect([await admit(secret), looks()]).toEqual([null, 0]);
  },
);

it('webhooks of a number’s own app are admitted for the numbers that have its secret', async () => {
  const { admit } = open([
    { secret: 'own secret of one', numbers: [ONE!] },
    { secret: 'own secret of both', numbers: [ONE!, OTHER!] },
  ]);
  expect(await admit('own secret of one')).toEqual([ONE]);
  expect(await admit('own secret of both')).toEqual([ONE, OTHER]);
});

it.each(['secret of a third', '', 'secret of one app,secret of another'])(
  'webhooks of no other are, in the same words whether a number has a secret or none: %s',
  async (secret) => {
    for (const named of [[], [{ secret: 'own secret', numbers: [ONE!] }]])
      await expect(open(named).admit(secret)).rejects.toThrow(
        'X-Hub-Signature-256 is missing or is not the signature of this body by an app secret.',
      );
  },
);
