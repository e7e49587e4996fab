import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import type { TemplateDefinition, TemplateGateway } from '@app/domain/templates/template-gateway.port';
import { Readable } from 'node:stream';
import { StandInProvider, UNUSABLE } from '../../../test/support/stand-ins/provider.stand-in';
import { formForCreation, formForEdit, GupshupTemplateGateway } from './gupshup/gupshup-template.gateway';
import { ProviderClient } from './http/provider-client';
import { CloudFileUpload } from './whatsapp-cloud/cloud-file-upload';
import { CloudTemplateGateway } from './whatsapp-cloud/cloud-template.gateway';
import { templateForCreation, templateForEdit } from './whatsapp-cloud/cloud-template-mapping';

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
  body: 'Hello {{1}}, see you on {{2}}.',
  ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
  footer: 'Reply STOP',
  buttons: [{ type: 'quick_reply', text: 'Yes' }],
  examples: { header: 'Sale', body: ['Aida', '21 Nov'] },
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

const CLOUD_LISTED = {
  ...{ id: '7', name: 'known', language: 'ru', status: 'APPROVED', category: 'UTILITY' },
  components: [{ type: 'BODY', text: 'Hello' }],
};

const pending = (providerId: string) => ({ ok: true, providerId, status: 'pending' });

// What is in the bodies and forms, and how a listed template is read, is shown beside the mappings.
describe('templates of the Cloud API', () => {
  const headers = { authorization: `Bearer ${TOKEN}` };

  it('are created, edited and fetched at their addresses', async () => {
    standIn.answer(200, { id: '1', status: 'PENDING', category: 'UTILITY' });
    expect(await cloud.create(CONNECTION, TEMPLATE, null)).toEqual(pending('1'));
    standIn.answer(200, { success: true });
    expect(await cloud.edit(CONNECTION, '1234567890', TEMPLATE, null)).toEqual(pending('1234567890'));
    expect(await cloud.fetch(CONNECTION, '1')).toMatchObject({ ok: false });
    standIn.answer(200, { ...CLOUD_LISTED, id: '1', name: 'visit' });
    expect(await cloud.fetch(CONNECTION, '1')).toMatchObject({
      ...{ ok: true, template: { providerId: '1', name: 'visit', status: 'approved' } },
    });
    const fetched = {
      method: 'GET',
      url: expect.stringMatching(/^\/v26\.0\/1\?fields=/) as unknown,
      headers,
    };
    expect(standIn.ledger).toMatchObject([
      { method: 'POST', url: '/v26.0/9001/message_templates', headers },
      { method: 'POST', url: '/v26.0/1234567890', headers },
      fetched,
      fetched,
    ]);
    expect(standIn.ledger.slice(0, 2).map(({ body }) => JSON.parse(body) as object)).toEqual([
      templateForCreation(TEMPLATE),
      templateForEdit(TEMPLATE),
    ]);
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
      data: [{ ...CLOUD_LISTED, id: String(id), name: `t${id}` }],
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
    expect(standIn.ledger.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });

  it('are not listed where a page fails, or where the next one cannot be named', async () => {
    const first = { data: [CLOUD_LISTED], paging: { cursors: { after: 'A' }, next: 'x' } };
    standIn.behave = (response, { url }) => {
      if (url.includes('after=A')) response.writeHead(400).end('{"error":{"message":"Busy","code":80008}}');
      else response.end(JSON.stringify(first));
    };
    expect(await cloud.list(CONNECTION)).toMatchObject({ ok: false });
    expect(standIn.ledger).toHaveLength(2);
    standIn.answer(200, { ...first, paging: { next: 'x' } });
    expect(await cloud.list(CONNECTION)).toMatchObject({ ok: false });
  });

  it('that cannot be read are counted, and the others are listed', async () => {
    const broken = [{ id: '8' }, null, { ...CLOUD_LISTED, components: undefined }];
    standIn.answer(200, { data: [...broken, CLOUD_LISTED] });
    expect(await cloud.list(CONNECTION)).toMatchObject({
      ...{ ok: true, templates: [{ providerId: '7', body: 'Hello' }], unreadable: 3 },
    });
    standIn.answer(200, { ...CLOUD_LISTED, components: null });
    expect(await cloud.fetch(CONNECTION, '7')).toMatchObject({ ok: false });
  });

  it('end at a bound when the pages do not', async () => {
    standIn.answer(200, { data: [], paging: { cursors: { after: 'same' }, next: 'x' } });
    expect(await cloud.list(CONNECTION)).toMatchObject({ ok: false, response: null });
    expect(standIn.ledger.length).toBeLessThan(100);
  });
});

describe('templates of Gupshup', () => {
  const headers = { apikey: TOKEN };
  const listed = (index: number): object => ({
    ...{ id: `uuid-${index}`, elementName: 'visit', languageCode: 'ru', data: 'Hello' },
  });

  it('are created, edited and fetched at their addresses', async () => {
    standIn.answer(200, { status: 'success', template: { ...listed(1), status: 'PENDING' } });
    expect(await gupshup.create(CONNECTION, TEMPLATE, null)).toEqual(pending('uuid-1'));
    expect(await gupshup.edit(CONNECTION, '3f0c', TEMPLATE, null)).toEqual(pending('3f0c'));
    expect(await gupshup.fetch(CONNECTION, 'uuid-1')).toMatchObject({
      ...{ ok: true, template: { providerId: 'uuid-1', body: 'Hello' } },
    });
    expect(standIn.ledger).toMatchObject([
      { method: 'POST', url: '/wa/app/a1a1/template', headers },
      { method: 'PUT', url: '/wa/app/a1a1/templates/3f0c', headers },
      { method: 'GET', url: '/wa/app/a1a1/template/uuid-1', headers },
    ]);
    expect(standIn.ledger.slice(0, 2).map(({ body }) => body)).toEqual([
      formForCreation(TEMPLATE).toString(),
      formForEdit(TEMPLATE).toString(),
    ]);
  });

  it('are listed page by page, and once by a provider that ignores the page', async () => {
    const all = Array.from({ length: 130 }, (_, index) => listed(index));
    standIn.behave = (response, { url }) => {
      const page = Number(new URL(url, standIn.url).searchParams.get('pageNo'));
      response.end(JSON.stringify({ status: 'success', templates: all.slice(page * 100, page * 100 + 100) }));
    };
    const answer = await gupshup.list(CONNECTION);
    expect(answer).toHaveProperty('templates.length', 130);
    expect(answer).toHaveProperty('templates.129.providerId', 'uuid-129');
    standIn.reset();
    standIn.answer(200, { templates: all });
    expect(await gupshup.list(CONNECTION)).toHaveProperty('templates.length', 130);
    expect(standIn.ledger).toHaveLength(2);
  });

  it('are all listed by a provider that gives fewer at a time than it was asked for, whatever it answers for a page behind the last', async () => {
    const all = Array.from({ length: 45 }, (_, index) => listed(index));
    for (const refusal of [null, 400, 404]) {
      standIn.reset();
      standIn.behave = (response, { url }) => {
        const page = Number(new URL(url, standIn.url).searchParams.get('pageNo'));
        const templates = all.slice(page * 20, page * 20 + 20);
        if (templates.length > 0 || refusal === null) response.end(JSON.stringify({ templates }));
        else response.writeHead(refusal).end('{"status":"error","message":"No such page"}');
      };
      expect(await gupshup.list(CONNECTION)).toHaveProperty('templates.length', 45);
    }
  });

  it('are not listed where a page fails after one that was not full', async () => {
    standIn.behave = (response, { url }) => {
      if (url.includes('pageNo=1'))
        response.writeHead(429).end('{"status":"error","message":"Too Many Requests"}');
      else response.end(JSON.stringify({ templates: [listed(1)] }));
    };
    expect(await gupshup.list(CONNECTION)).toMatchObject({ ok: false });
  });

  it('that cannot be read are counted, and the others, on whatever page, are listed', async () => {
    const broken = Array.from({ length: 100 }, (_, index) => ({ id: `broken-${index}` }));
    standIn.behave = (response, { url }) => {
      const page = Number(new URL(url, standIn.url).searchParams.get('pageNo'));
      response.end(JSON.stringify({ templates: page === 0 ? broken : [null, listed(1)] }));
    };
    expect(await gupshup.list(CONNECTION)).toMatchObject({
      ...{ ok: true, templates: [{ providerId: 'uuid-1' }], unreadable: 101 },
    });
  });

  it('are not listed where a page fails', async () => {
    const whole = Array.from({ length: 100 }, (_, index) => listed(index));
    standIn.behave = (response, { url }) => {
      if (url.includes('pageNo=1'))
        response.writeHead(429).end('{"status":"error","message":"Too Many Requests"}');
      else response.end(JSON.stringify({ templates: whole }));
    };
    expect(await gupshup.list(CONNECTION)).toMatchObject({
      ok: false,
      response: { message: 'Too Many Requests' },
    });
    expect(standIn.ledger).toHaveLength(2);
  });
});

describe.each([
  ['WhatsApp', () => cloud],
  ['Gupshup', () => gupshup],
])('a failure at %s', (_name, gatewayOf) => {
  const list = () => gatewayOf().list(CONNECTION);
  const create = () => gatewayOf().create(CONNECTION, TEMPLATE, null);
  const edit = (id = '77') => gatewayOf().edit(CONNECTION, id, TEMPLATE, null);

  it('is reported with the provider’s own words and answer, our credential never in it', async () => {
    standIn.answer(400, { status: 'error', message: `No ${TOKEN}`, error: { message: `No ${TOKEN}` } });
    for (const answer of [await list(), await create(), await edit()]) {
      expect(answer).toMatchObject({ ok: false, code: 'PROVIDER_ERROR', message: 'No ***' });
      expect(answer).not.toHaveProperty('mayHaveBeenTaken');
      expect(JSON.stringify(answer)).not.toContain(TOKEN);
    }
    standIn.answer(402, '');
    expect(await list()).toMatchObject({ ok: false, code: 'BILLING_ERROR' });
  });

  it('is reported, never thrown, when the provider gives no usable answer, and may have been taken', async () => {
    for (const [name, behave] of Object.entries(UNUSABLE)) {
      standIn.reset();
      standIn.behave = behave;
      const editing = edit();
      // What is waited for takes the whole limit, and is waited for once.
      if (name !== 'no answer') {
        await editing;
        expect(standIn.ledger).toHaveLength(1);
      }
      const answers = await Promise.all([editing, list(), create()]);
      expect({ name, ...answers[0] }).toMatchObject({ name, mayHaveBeenTaken: true });
      for (const answer of answers) {
        expect({ name, ...answer }).toMatchObject({ name, ok: false });
        expect(JSON.stringify(answer).length).toBeLessThan(70_000);
      }
      // None is repeated. A connection that is reset early may take one with it before it is read.
      expect(standIn.ledger.length).toBeLessThanOrEqual(3);
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

  it('is sent to no other address than the template’s, whatever its id is', async () => {
    await edit('../x?y');
    expect(standIn.ledger[0]?.url).toMatch(/\/\.\.%2Fx%3Fy$/);
  });
});
