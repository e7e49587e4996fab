import type { ChannelConnection } from '@app/domain/messages/message-sender.port';
import type { TemplateDefinition, TemplateGateway } from '@app/domain/templates/template-gateway.port';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { StandInProvider, UNUSABLE } from '../../../test/support/stand-ins/provider.stand-in';
import { GupshupTemplateGateway } from './gupshup/gupshup-template.gateway';
import { ProviderClient } from './http/provider.client';
import { CloudFileUpload } from './whatsapp-cloud/cloud-file.upload';
import { CloudTemplateGateway } from './whatsapp-cloud/cloud-template.gateway';

const TOKEN = 'EAABsecretTokenOfOurs';

const connection = (settings: Record<string, string>): ChannelConnection => ({
  accountId: 'a',
  botId: 'b',
  channel: 'waba',
  sender: '1',
  settings,
  credential: TOKEN,
});
const CONNECTION = connection({ waba_id: '9001', app_id: 'a1a1', app_name: 'ClinicApp' });

const TEMPLATE: TemplateDefinition = {
  name: 'visit_reminder',
  language: 'ru',
  category: 'utility',
  parameterFormat: 'positional',
  header: { format: 'text', text: 'Our {{1}} is on!' },
  body: 'Hello {{1}}, see you on {{2}}. Bye, {{1}}',
  ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
  footer: 'Reply STOP',
  buttons: [
    { type: 'quick_reply', text: 'Yes' },
    { type: 'url', text: 'Map', url: 'https://a.example/{{1}}' },
    { type: 'url', text: 'Site', url: 'https://a.example/' },
    { type: 'phone_number', text: 'Call', phone_number: '+77010000001' },
    { type: 'copy_code', text: 'SAVE10' },
  ],
  examples: { header: 'Sale', body: ['Aida', '21 Nov'] },
};

const BUTTONS = [
  { type: 'QUICK_REPLY', text: 'Yes' },
  { type: 'URL', text: 'Map', url: 'https://a.example/{{1}}', example: ['example'] },
  { type: 'URL', text: 'Site', url: 'https://a.example/' },
  { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+77010000001' },
  { type: 'COPY_CODE', example: 'SAVE10' },
];

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

describe('templates of the Cloud API', () => {
  const create = async (template: TemplateDefinition): Promise<unknown> => {
    standIn.answer(200, { id: '1', status: 'PENDING', category: 'UTILITY' });
    expect(await cloud.create(CONNECTION, template, null)).toEqual({
      ok: true,
      providerId: '1',
      status: 'pending',
    });
    return JSON.parse(standIn.ledger.at(-1)?.body ?? '');
  };

  it('are created with their parts and the examples that moderation demands', async () => {
    expect(await create(TEMPLATE)).toEqual({
      name: 'visit_reminder',
      language: 'ru',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Our {{1}} is on!', example: { header_text: ['Sale'] } },
        { type: 'BODY', text: TEMPLATE.body, example: { body_text: [['Aida', '21 Nov']] } },
        { type: 'FOOTER', text: 'Reply STOP' },
        { type: 'BUTTONS', buttons: BUTTONS },
      ],
    });
    expect(standIn.ledger).toMatchObject([
      { method: 'POST', url: '/v26.0/9001/message_templates', headers: { authorization: `Bearer ${TOKEN}` } },
    ]);
  });

  it('are created with the names of named variables, with a file, and without anything optional', async () => {
    const named = { parameterFormat: 'named', body: 'Hi {{first_name}}!' } as const;
    const header = { format: 'image' } as const;
    expect(
      await create({ ...TEMPLATE, ...named, header, examples: { header: '4::handle', body: ['Ann'] } }),
    ).toMatchObject({
      parameter_format: 'NAMED',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::handle'] } },
        {
          type: 'BODY',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
        },
        {},
        {},
      ],
    });
    const bare = { ...TEMPLATE, header: null, body: 'Hello', footer: null, buttons: [], examples: {} };
    expect(await create(bare)).toHaveProperty('components', [{ type: 'BODY', text: 'Hello' }]);
  });

  it('of one-time codes are created and read as Meta publishes them', async () => {
    const { create_request } = JSON.parse(
      readFileSync(`${process.cwd()}/test/oracle/template-examples.json`, 'utf8'),
    ) as { create_request: Record<string, object> };
    const authentication: TemplateDefinition = {
      ...{ name: 'authentication_code_copy_code_button', language: 'en_US', category: 'authentication' },
      ...{
        parameterFormat: 'positional',
        header: null,
        body: '*{{1}}* is your verification code.',
        footer: null,
      },
      ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10, examples: {} },
      buttons: [{ type: 'otp', text: 'Copy Code', otp_type: 'copy_code' }],
    };
    expect(await create(authentication)).toEqual(
      create_request['Create authentication template w/ OTP copy code button'],
    );
    expect(await create({ ...authentication, codeExpirationMinutes: null })).toHaveProperty('components.1', {
      type: 'BUTTONS',
      buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy Code' }],
    });
    const components = [
      { type: 'BODY', text: 'Ваш код: *{{1}}*.', add_security_recommendation: true },
      { type: 'FOOTER', text: 'Код действует 10 минут.', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          {
            ...{ type: 'URL', text: 'Скопировать код' },
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code_expiration_minutes=10&code=otp{{1}}',
          },
        ],
      },
    ];
    standIn.answer(200, { id: '7', name: 'code', language: 'ru', category: 'AUTHENTICATION', components });
    expect(await cloud.fetch(CONNECTION, '7')).toMatchObject({
      template: {
        ...{ category: 'authentication', body: 'Ваш код: *{{1}}*.', footer: 'Код действует 10 минут.' },
        ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10 },
        buttons: [{ type: 'otp', text: 'Скопировать код', otp_type: 'copy_code' }],
      },
    });
  });

  it('give Meta the sample of a header first, and name it by its handle', async () => {
    standIn.behave = (response, { url, method }) => {
      const answers: [string, object][] = [
        ['GET /v26.0/app?', { id: '77' }],
        ['POST /v26.0/77/uploads?', { id: 'upload:c2Vzc2lvbg==' }],
        ['POST /v26.0/upload:c2Vzc2lvbg==', { h: '4::aW1hZ2U=' }],
        ['POST /v26.0/9001/message_templates', { id: '1', status: 'PENDING' }],
      ];
      response.end(
        JSON.stringify(answers.find(([begin]) => `${method} ${url}`.startsWith(begin))?.[1] ?? {}),
      );
    };
    const sample = {
      ...{ name: 'Прайс.png', mimeType: 'image/png', size: 4, link: null },
      open: () => Promise.resolve(Readable.from([Buffer.from('1234')])),
      requireBytes: () => Promise.resolve(),
    };
    const examples = { ...TEMPLATE.examples, media_id: 'ours', header: undefined };
    const template: TemplateDefinition = { ...TEMPLATE, header: { format: 'image' }, examples };
    expect(await cloud.create(CONNECTION, template, sample)).toMatchObject({ ok: true, providerId: '1' });
    const [, begun, bytes, created] = standIn.ledger;
    expect(Object.fromEntries(new URL(begun?.url ?? '', standIn.url).searchParams)).toEqual({
      ...{ file_name: 'Прайс.png', file_length: '4', file_type: 'image/png' },
    });
    expect([bytes?.headers.authorization, bytes?.headers.file_offset, bytes?.body]).toEqual([
      ...[`OAuth ${TOKEN}`, '0', '1234'],
    ]);
    expect(JSON.parse(created?.body ?? '')).toHaveProperty('components.0', {
      ...{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
    });
    standIn.reset();
    standIn.behave = (response, { url }) => {
      // A session that would lead elsewhere.
      response.end(JSON.stringify(url.includes('uploads') ? { id: '../4/evil' } : { id: '77' }));
    };
    expect(await cloud.create(CONNECTION, template, sample)).toMatchObject({
      ...{ ok: false, code: 'PROVIDER_ERROR', message: expect.stringContaining('not submitted') as unknown },
    });
    expect(standIn.ledger).toHaveLength(2);
  });

  it('are listed page by page by cursor, never by the address that the answer gives', async () => {
    const page = (id: number, paging: object): object => ({
      data: [{ id: String(id), name: `t${id}`, language: 'en-US', status: 'PAUSED', category: 'MARKETING' }],
      paging,
    });
    const evil = 'http://127.0.0.1:9/steal';
    standIn.behave = (response, { url }) => {
      const after = new URL(url, standIn.url).searchParams.get('after');
      const pages: Record<string, object> = {
        first: page(1, { cursors: { after: 'A=' }, next: evil }),
        'A=': page(2, { cursors: { after: 'B' }, next: evil }),
        B: page(3, { cursors: { after: 'C' } }),
      };
      response.end(JSON.stringify(pages[after ?? 'first']));
    };
    const listed = await cloud.list(CONNECTION);
    expect(listed).toMatchObject({ ok: true, templates: [{ name: 't1' }, { name: 't2' }, { name: 't3' }] });
    expect(listed).toHaveProperty('templates.0', {
      providerId: '1',
      ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
      quality: null,
      name: 't1',
      language: 'en_US',
      category: 'marketing',
      parameterFormat: 'positional',
      status: 'paused',
      reason: null,
      header: null,
      body: '',
      footer: null,
      buttons: [],
    });
    expect(standIn.ledger.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });

  it('are read as Meta’s published list has them', async () => {
    const { list_response } = JSON.parse(
      readFileSync(`${process.cwd()}/test/oracle/template-examples.json`, 'utf8'),
    ) as { list_response: Record<string, object> };
    standIn.answer(200, list_response['Example response']);
    expect(await cloud.list(CONNECTION)).toMatchObject({
      ok: true,
      templates: [
        {
          providerId: '1192339204654487',
          status: 'approved',
          header: { format: 'text', text: 'Hello World' },
        },
        { language: 'en_US', buttons: [{ type: 'quick_reply', text: 'Stop promotions' }] },
      ],
    });
  });

  it('end at a bound when the pages do not', async () => {
    standIn.answer(200, { data: [], paging: { cursors: { after: 'same' }, next: 'x' } });
    expect(await cloud.list(CONNECTION)).toMatchObject({ ok: false, response: null });
    expect(standIn.ledger.length).toBeLessThan(100);
  });
});

describe('templates of Gupshup', () => {
  it('of one-time codes are created by WhatsApp’s own words and read again', async () => {
    standIn.answer(200, { status: 'success', template: { id: '3f0c', status: 'PENDING' } });
    await gupshup.create(
      CONNECTION,
      {
        ...{
          ...TEMPLATE,
          category: 'authentication',
          header: null,
          body: '*{{1}}* is your verification code.',
        },
        ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10, examples: {} },
        ...{
          footer: 'This code expires in 10 minutes.',
          buttons: [{ type: 'otp', text: '', otp_type: 'copy_code' }],
        },
      },
      null,
    );
    const form = Object.fromEntries(new URLSearchParams(standIn.ledger[0]?.body));
    expect(form).toMatchObject({
      ...{ category: 'AUTHENTICATION', content: '*{{1}}* is your verification code.' },
      ...{ example: '*123456* is your verification code.', addSecurityRecommendation: 'true' },
      ...{ codeExpirationMinutes: '10', buttons: JSON.stringify([{ type: 'OTP', otp_type: 'COPY_CODE' }]) },
    });
    expect(form).not.toHaveProperty('footer');
    const containerMeta = JSON.stringify({
      ...{ data: '*{{1}}* is your code.', addSecurityRecommendation: true, codeExpirationMinutes: 10 },
      buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }],
    });
    const listed = { id: '3f0c', elementName: 'code', category: 'AUTHENTICATION', containerMeta };
    standIn.answer(200, { status: 'success', template: listed, templates: [listed] });
    expect(await gupshup.list(CONNECTION)).toMatchObject({
      templates: [
        {
          ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10 },
          buttons: [{ type: 'otp', text: 'Copy code', otp_type: 'copy_code' }],
        },
      ],
    });
  });

  it('are created by a form, with samples filled in', async () => {
    standIn.answer(200, { status: 'success', template: { id: '3f0c', status: 'PENDING' } });
    expect(await gupshup.create(CONNECTION, TEMPLATE, null)).toEqual({
      ok: true,
      providerId: '3f0c',
      status: 'pending',
    });
    expect(standIn.ledger).toMatchObject([
      { method: 'POST', url: '/wa/app/a1a1/template', headers: { apikey: TOKEN } },
    ]);
    expect(Object.fromEntries(new URLSearchParams(standIn.ledger[0]?.body))).toEqual({
      elementName: 'visit_reminder',
      languageCode: 'ru',
      category: 'UTILITY',
      templateType: 'TEXT',
      vertical: 'visit_reminder',
      content: TEMPLATE.body,
      example: 'Hello Aida, see you on 21 Nov. Bye, Aida',
      enableSample: 'true',
      allowTemplateCategoryChange: 'false',
      header: 'Our {{1}} is on!',
      exampleHeader: 'Our Sale is on!',
      footer: 'Reply STOP',
      buttons: JSON.stringify(BUTTONS),
    });
  });

  const listed = (index: number): object => ({
    id: `uuid-${index}`,
    elementName: 'visit',
    languageCode: 'ru',
    category: 'UTILITY',
    templateType: 'TEXT',
    status: 'approved',
    data: 'Hello {{1}}\n[Yes]',
    containerMeta: JSON.stringify({
      data: 'Hello {{1}}',
      footer: 'Bye',
      header: 'Head',
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'FLOW' }],
    }),
  });

  it('are listed page by page, body and buttons from their own parts', async () => {
    const all = Array.from({ length: 130 }, (_, index) => listed(index));
    standIn.behave = (response, { url }) => {
      const page = Number(new URL(url, standIn.url).searchParams.get('pageNo'));
      response.end(JSON.stringify({ status: 'success', templates: all.slice(page * 100, page * 100 + 100) }));
    };
    const answer = await gupshup.list(CONNECTION);
    expect(answer).toHaveProperty('templates.length', 130);
    expect(answer).toHaveProperty('templates.129', {
      providerId: 'uuid-129',
      ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
      name: 'visit',
      language: 'ru',
      category: 'utility',
      parameterFormat: 'positional',
      status: 'approved',
      reason: null,
      header: { format: 'text', text: 'Head' },
      body: 'Hello {{1}}',
      footer: 'Bye',
      quality: null,
      buttons: [
        { type: 'quick_reply', text: 'Yes' },
        { type: 'other', text: '' },
      ],
    });
  });

  it('are listed once by a provider that ignores the page, and without their parts when these are broken', async () => {
    const broken = {
      ...listed(1),
      containerMeta: '{',
      status: 'FAILED',
      reason: 'No',
      templateType: 'IMAGE',
    };
    standIn.answer(200, {
      templates: [...Array.from({ length: 120 }, (_, index) => listed(index + 2)), broken],
    });
    const answer = await gupshup.list(CONNECTION);
    expect(answer).toHaveProperty('templates.length', 121);
    expect(answer).toHaveProperty(
      'templates.120',
      expect.objectContaining({
        body: 'Hello {{1}}\n[Yes]',
        status: 'rejected',
        reason: 'No',
        header: { format: 'image' },
      }),
    );
    expect(standIn.ledger).toHaveLength(2);
  });
});

it('a template of Meta has its parts in their places, those that we cannot send too', async () => {
  const components = [
    { type: 'HEADER', format: 'GIF' },
    { type: 'BODY', text: 'Hello' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'FLOW', text: 'Book', flow_id: 1 },
        { type: 'URL', text: 'Map', url: 'https://a.example/{{1}}' },
      ],
    },
  ];
  const ours = { id: '1', name: 'visit', language: 'ru', status: 'APPROVED', category: 'UTILITY' };
  standIn.answer(200, { ...ours, components, quality_score: { score: 'YELLOW', date: 1 } });
  expect(await cloud.fetch(CONNECTION, '1')).toMatchObject({
    ok: true,
    template: {
      ...{ providerId: '1', name: 'visit', quality: 'yellow', header: { format: 'other' } },
      buttons: [
        { type: 'other', text: 'Book' },
        { type: 'url', text: 'Map', url: 'https://a.example/{{1}}' },
      ],
    },
  });
  expect(new URL(standIn.ledger[0]?.url ?? '', standIn.url).pathname).toBe('/v26.0/1');
  standIn.answer(200, { success: true });
  expect(await cloud.fetch(CONNECTION, '1')).toMatchObject({ ok: false });
});

it('a template of Gupshup is fetched by its id', async () => {
  const template = { id: 'uuid', elementName: 'visit', languageCode: 'ru', data: 'Hi', quality: 'GREEN' };
  standIn.answer(200, { status: 'success', template });
  expect(await gupshup.fetch(CONNECTION, 'uuid')).toMatchObject({
    template: { providerId: 'uuid', body: 'Hi', quality: 'green' },
  });
  expect(standIn.ledger[0]?.url).toBe('/wa/app/a1a1/template/uuid');
});

describe.each([
  ['WhatsApp', () => cloud],
  ['Gupshup', () => gupshup],
])('a failure at %s', (_name, gatewayOf) => {
  it('is reported with the provider’s own words and answer, our credential never in it', async () => {
    const body = { status: 'error', message: `No ${TOKEN}`, error: { message: `No ${TOKEN}` } };
    standIn.answer(400, body);
    for (const answer of [
      await gatewayOf().list(CONNECTION),
      await gatewayOf().create(CONNECTION, TEMPLATE, null),
    ]) {
      expect(answer).toMatchObject({ ok: false, code: 'PROVIDER_ERROR', message: 'No ***' });
      expect(JSON.stringify(answer)).not.toContain(TOKEN);
    }
    standIn.answer(402, '');
    expect(await gatewayOf().list(CONNECTION)).toMatchObject({ ok: false, code: 'BILLING_ERROR' });
  });

  it('is reported, never thrown, when the provider gives no usable answer', async () => {
    for (const [name, behave] of Object.entries(UNUSABLE)) {
      standIn.reset();
      standIn.behave = behave;
      const answers = [gatewayOf().list(CONNECTION), gatewayOf().create(CONNECTION, TEMPLATE, null)];
      for (const answer of await Promise.all(answers)) {
        expect({ name, ...answer }).toMatchObject({ name, ok: false });
        expect(JSON.stringify(answer).length).toBeLessThan(70_000);
      }
      // Neither is repeated. A connection that is reset early may take one with it before it is read.
      expect(standIn.ledger.length).toBeLessThanOrEqual(2);
    }
  });

  it('is a missing setting, without a request', async () => {
    const answer = await gatewayOf().list(connection({}));
    expect(answer).toMatchObject({
      ok: false,
      message: expect.stringMatching(/setting (waba|app)_id/) as unknown,
    });
    expect(standIn.ledger).toHaveLength(0);
  });
});
