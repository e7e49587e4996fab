import type { Locator } from 'playwright-core';

/** A span of a step, by its number and its unit. */
async function span(fields: Locator, label: string, count: string, unit: string): Promise<void> {
  await fields.getByRole('textbox', { name: label, exact: true }).fill(count);
  await fields.getByLabel(`${label}: unit`).selectOption(unit);
}

interface FilledStep {
  kind: string;
  /** Absent: it has nothing to fill in. */
  fill?: (fields: Locator) => Promise<void>;
}

/** Each kind of step with all of its fields, as a person fills them in. @param userId to whom the dialog is assigned */
export const everyKind = (userId: string): FilledStep[] => [
  {
    kind: 'send_template',
    fill: async (fields) => {
      await fields.getByLabel('Name of the template').fill('order_ready');
      await fields.getByLabel('Language of the template').fill('kk');
      await fields.getByLabel('Channel').selectOption('waba');
      for (const [index, value] of ['{{lead.name|friend}}', '15:30'].entries()) {
        await fields.getByRole('button', { name: 'Add a value' }).click();
        await fields.getByLabel(`Value ${index + 1}`, { exact: true }).fill(value);
      }
      await fields.getByText('Values of named variables').click();
      await fields.getByLabel('Header (JSON)').fill('{"type":"text","text":"{{date}}"}');
      await fields.getByLabel('Buttons (JSON)').fill('[{"type":"url","index":0,"text":"x"}]');
      await span(fields, 'May be late by at most', '45', 'minute');
      await fields.getByText('Further settings of the step').click();
      await fields.getByLabel('If the step fails').selectOption('continue');
    },
  },
  {
    kind: 'send_template',
    fill: async (fields) => {
      await fields.getByLabel('Name of the template').fill('named');
      await fields.getByText('Values of named variables').click();
      await fields.getByRole('button', { name: 'Add a named value' }).click();
      await fields.getByLabel('Name of the variable').fill('first_name');
      await fields.getByLabel('Value', { exact: true }).fill('{{lead.name|friend}}');
    },
  },
  {
    kind: 'send_text',
    fill: async (fields) => {
      await fields.getByLabel('Text', { exact: false }).first().fill('Hello,\n{{lead.name|friend}}');
      await span(fields, 'May be late by at most', '2', 'day');
    },
  },
  { kind: 'wait', fill: (fields) => span(fields, 'For how long', '90', 'day') },
  {
    kind: 'wait_until',
    fill: async (fields) => {
      await fields.getByLabel('Time of day').fill('09:30');
      await fields.getByLabel('Time zone').fill('Asia/Almaty');
      await fields.getByLabel('Sun').check();
      await fields.getByLabel('Mon').check();
      await span(fields, 'But wait at least', '90', 'minute');
    },
  },
  { kind: 'wait_for_reply', fill: (fields) => span(fields, 'At most', '36', 'hour') },
  {
    kind: 'condition',
    fill: async (fields) => {
      await fields.getByLabel('Fact 1', { exact: true }).selectOption('last_send read');
      for (const [index, fact] of ['in_stage true', 'handler OPERATOR', 'kind awaiting_payment'].entries()) {
        await fields.getByRole('button', { name: 'Add a fact' }).click();
        await fields.getByLabel(`Fact ${index + 2}`, { exact: true }).selectOption(fact);
      }
    },
  },
  {
    kind: 'set_status',
    fill: async (fields) => void (await fields.getByLabel('To the stage').selectOption('Qualified')),
  },
  { kind: 'set_status' },
  {
    kind: 'hand_over',
    fill: (fields) => fields.getByLabel('Note for the person').fill('See {{lead.phone}}'),
  },
  { kind: 'return_to_ai' },
  { kind: 'set_ai' },
  {
    kind: 'assign',
    fill: async (fields) => void (await fields.getByLabel('To whom').selectOption(userId)),
  },
  { kind: 'assign' },
  { kind: 'notify', fill: (fields) => fields.getByLabel('What it is about').fill('Call {{lead.name|them}}') },
  {
    kind: 'http',
    fill: async (fields) => {
      await fields.getByLabel('Method').selectOption('PUT');
      await fields.getByRole('textbox', { name: 'Address' }).fill('https://crm.example.com/leads');
      await fields.getByRole('button', { name: 'Add a header' }).click();
      await fields.getByLabel('Name of the header').fill('Authorization');
      await fields.getByRole('textbox', { name: 'Value' }).fill('Bearer secret');
      await fields.getByLabel('Body (JSON)').fill('{"phone":"{{lead.phone}}","n":[1,null]}');
    },
  },
  {
    kind: 'request_phone',
    fill: (fields) =>
      fields.getByLabel('Text', { exact: false }).first().fill('Your phone, {{lead.name|friend}}?'),
  },
];

/** What the operation has of them. */
export const everyStep = (stageId: string, userId: string): object[] => [
  {
    ...{ kind: 'send_template', on_failure: 'continue', template_id: 'order_ready', template_language: 'kk' },
    ...{ channel: 'waba', params: ['{{lead.name|friend}}', '15:30'], max_late_seconds: 2_700 },
    header: { type: 'text', text: '{{date}}' },
    buttons: [{ type: 'url', index: 0, text: 'x' }],
  },
  {
    ...{ kind: 'send_template', template_id: 'named', template_language: 'ru', max_late_seconds: 21_600 },
    named_params: { first_name: '{{lead.name|friend}}' },
  },
  { kind: 'send_text', text: 'Hello,\n{{lead.name|friend}}', max_late_seconds: 172_800 },
  { kind: 'wait', seconds: 7_776_000 },
  {
    ...{ kind: 'wait_until', time: '09:30', timezone: 'Asia/Almaty', weekdays: [1, 7] },
    at_least_seconds: 5_400,
  },
  { kind: 'wait_for_reply', seconds: 129_600, on_timeout: { go: 'step-7' } },
  {
    ...{ kind: 'condition', label: 'step-7', else: { go: 'step-14' } },
    all: [
      { fact: 'last_send', is: 'read' },
      { fact: 'in_stage', is: true },
      { fact: 'handler', is: 'OPERATOR' },
      { fact: 'kind', is: 'awaiting_payment' },
    ],
  },
  { kind: 'set_status', status_id: stageId },
  { kind: 'set_status', status_id: null },
  { kind: 'hand_over', note: 'See {{lead.phone}}' },
  { kind: 'return_to_ai' },
  { kind: 'set_ai', ai_enabled: false },
  { kind: 'assign', user_id: userId },
  { kind: 'assign', label: 'step-14', user_id: null },
  { kind: 'notify', text: 'Call {{lead.name|them}}' },
  {
    ...{ kind: 'http', method: 'PUT', url: 'https://crm.example.com/leads' },
    headers: { Authorization: null },
    body: { phone: '{{lead.phone}}', n: [1, null] },
  },
  { kind: 'request_phone', text: 'Your phone, {{lead.name|friend}}?', max_late_seconds: 21_600 },
];
