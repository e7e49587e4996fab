import type { ChannelConnection } from '@app/domain/messages/message-sender.port';
import type { TemplateDefinition, TemplateGateway } from '@app/domain/templates/template-gateway.port';
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { StandInProvider, UNUSABLE } from '../../../test/support/stand-ins/provider.stand-in';
import { GupshupTemplateGateway } from './gupshup/gupshup-template.gateway';
import { ProviderClient } from './http/provider.client';
import { CloudFileUpload } from './whatsapp-cloud/cloud-file.upload';
import { CloudTemplateGateway } from './whatsapp-cloud/cloud-template.gateway';
import { templateForEdit } from './whatsapp-cloud/cloud-template.mapping';

const readOracle = (name: string): unknown =>
  JSON.parse(readFileSync(`${process.cwd()}/test/oracle/${name}.json`, 'utf8'));

const isValid = new Ajv({ strict: false }).compile(readOracle('edit-template.schema') as object);
const PUBLISHED = readOracle('template-examples') as {
  edit_request: Record<string, object>;
  edit_response: Record<string, object>;
};

const TOKEN = 'EAABsecretTokenOfOurs';
const CONNECTION: ChannelConnection = {
  accountId: 'a',
  botId: 'b',
  channel: 'waba',
  sender: '1',
  settings: { waba_id: '9001', app_id: 'a1a1', app_name: 'ClinicApp' },
  credential: TOKEN,
};

/** What the published example edits a template to. */
const TEMPLATE: TemplateDefinition = {
  name: '2023_april_promo',
  language: 'en_US',
  category: 'marketing',
  parameterFormat: 'positional',
  header: { format: 'text', text: 'Fall Sale' },
  body: 'Hi {{1}}, our Fall Sale is on! Use promo code {{2}} Get an extra 25% off every order above $350!',
  ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
  footer: 'Not interested in any of our sales? Tap Stop Promotions',
  buttons: [{ type: 'quick_reply', text: 'Stop promotions' }],
  examples: { body: ['Mark', 'FALL25'] },
};

let standIn: StandInProvider;
let client: ProviderClient;
let cloud: TemplateGateway;
let gupshup: TemplateGateway;

beforeAll(async () => {
  standIn = await StandInProvider.open();
  client = new ProviderClient(standIn.url, 1_500);
  cloud = new CloudTemplateGateway(client, 'v26.0', new CloudFileUpload(standIn.url, 'v26.0'));
  gupshup = new GupshupTemplateGateway(client);
});

beforeEach(() => standIn.reset());

afterAll(async () => {
  await client.close();
  await standIn.close();
});

describe('an edit at the Cloud API', () => {
  it('has category and components as Meta publishes them, at the template’s own id', async () => {
    standIn.answer(200, PUBLISHED.edit_response['Example response']);
    expect(await cloud.edit(CONNECTION, '1234567890', TEMPLATE, null)).toEqual({
      ok: true,
      providerId: '1234567890',
      status: 'pending',
    });
    expect(standIn.ledger).toMatchObject([
      { method: 'POST', url: '/v26.0/1234567890', headers: { authorization: `Bearer ${TOKEN}` } },
    ]);
    // Name and language cannot change.
    const { name, language, ...published } = PUBLISHED.edit_request['Edit template'] as TemplateDefinition;
    expect([name, language]).toEqual([TEMPLATE.name, TEMPLATE.language]);
    expect(JSON.parse(standIn.ledger[0]?.body ?? '')).toEqual(published);
  });

  it('validates against Meta’s schema whatever the template holds', () => {
    expect(Object.values(PUBLISHED.edit_request).map((body) => isValid(body))).toEqual([true]);
    expect(isValid({ components: {} })).toBe(false);
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const none = { nil: null };
    const template: fc.Arbitrary<TemplateDefinition> = fc.record({
      name: fc.constant('visit'),
      language: fc.constant('ru'),
      category: fc.constantFrom('marketing' as const, 'utility' as const, 'authentication' as const),
      parameterFormat: fc.constantFrom('positional' as const, 'named' as const),
      header: fc.option(
        fc.oneof(
          fc.record({ format: fc.constant('text' as const), text }),
          fc.record({ format: fc.constantFrom('image' as const, 'location' as const) }),
        ),
        none,
      ),
      body: fc.constantFrom('Hello', 'Hi {{1}}!', 'Hi {{first_name}}, see {{place}}.'),
      footer: fc.option(text, none),
      buttons: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('quick_reply' as const), text }),
          fc.record({ type: fc.constant('url' as const), text, url: fc.constant('https://a.example/{{1}}') }),
          fc.record({ type: fc.constant('phone_number' as const), text, phone_number: text }),
          fc.record({ type: fc.constant('copy_code' as const), text }),
          fc.record({ type: fc.constant('otp' as const), text, otp_type: fc.constant('copy_code' as const) }),
        ),
        { maxLength: 3 },
      ),
      addSecurityRecommendation: fc.boolean(),
      codeExpirationMinutes: fc.option(fc.integer({ min: 1, max: 90 }), none),
      examples: fc.record({ header: text, body: fc.array(text, { maxLength: 2 }) }),
    });
    fc.assert(
      fc.property(template, (given) => {
        isValid(JSON.parse(JSON.stringify(templateForEdit(given))));
        expect(isValid.errors).toBeNull();
      }),
    );
  });
});

describe('an edit at Gupshup', () => {
  it('is a form of all that may change, at the template’s own id', async () => {
    standIn.answer(200, { status: 'success' });
    expect(await gupshup.edit(CONNECTION, '3f0c', TEMPLATE, null)).toEqual({
      ok: true,
      providerId: '3f0c',
      status: 'pending',
    });
    expect(standIn.ledger).toMatchObject([
      { method: 'PUT', url: '/wa/app/a1a1/templates/3f0c', headers: { apikey: TOKEN } },
    ]);
    expect(Object.fromEntries(new URLSearchParams(standIn.ledger[0]?.body))).toEqual({
      category: 'MARKETING',
      templateType: 'TEXT',
      content: TEMPLATE.body,
      example: TEMPLATE.body.replace('{{1}}', 'Mark').replace('{{2}}', 'FALL25'),
      enableSample: 'true',
      header: 'Fall Sale',
      exampleHeader: 'Fall Sale',
      footer: TEMPLATE.footer,
      buttons: JSON.stringify([{ type: 'QUICK_REPLY', text: 'Stop promotions' }]),
    });
  });
});

describe.each([
  ['WhatsApp', () => cloud],
  ['Gupshup', () => gupshup],
])('an edit that fails at %s', (_name, gatewayOf) => {
  it('is a refusal with the provider’s own words, our credential never in it', async () => {
    standIn.answer(400, { status: 'error', message: `No ${TOKEN}`, error: { message: `No ${TOKEN}` } });
    const answer = await gatewayOf().edit(CONNECTION, '77', TEMPLATE, null);
    expect(answer).toMatchObject({ ok: false, code: 'PROVIDER_ERROR', message: 'No ***' });
    expect(answer).not.toHaveProperty('mayHaveBeenTaken');
  });

  it('may have been taken when there is no usable answer, and is made once', async () => {
    for (const [name, behave] of Object.entries(UNUSABLE)) {
      standIn.reset();
      standIn.behave = behave;
      const answer = await gatewayOf().edit(CONNECTION, '77', TEMPLATE, null);
      expect({ name, ...answer }).toMatchObject({ name, ok: false, mayHaveBeenTaken: true });
      expect(standIn.ledger).toHaveLength(1);
    }
  });

  it('is sent to no other address than the template’s, whatever its id is', async () => {
    await gatewayOf().edit(CONNECTION, '../x?y', TEMPLATE, null);
    expect(standIn.ledger[0]?.url).toMatch(/\/\.\.%2Fx%3Fy$/);
  });
});
