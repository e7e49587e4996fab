import { refusedAt } from '../../../../test/support/clients/refused.fields';
import { WEBHOOK_EVENTS } from '@app/contracts/webhook.words';
import {
  ChangeEndpointRequest,
  CreateEndpointRequest,
  ReplayRequest,
  RotateEndpointSecretRequest,
} from './webhook-endpoint.request';

const ENDPOINT = { url: 'https://shop.example.com/hooks', events: ['*'] };

describe('an endpoint', () => {
  it.each<[string, unknown]>([
    ['url', ''],
    ['url', 5],
    ['url', `https://example.com/${'x'.repeat(2_048)}`],
    ['events', []],
    ['events', ['lead.imagined']],
    ['events', ['webhook.test']],
    ['events', ['lead.created', 'lead.created']],
    ['events', 'lead.created'],
    ['assistant_ids', []],
    ['assistant_ids', [5]],
    ['max_per_second', 0],
    ['max_per_second', 501],
    ['max_per_second', 1.5],
    ['description', 'x'.repeat(1_001)],
  ])('is neither made nor changed with a faulty %s', (field, value) => {
    // An item is named by its place.
    const found = [
      refusedAt(CreateEndpointRequest, { ...ENDPOINT, [field]: value }),
      refusedAt(ChangeEndpointRequest, { [field]: value }),
    ];
    expect(found.map((paths) => paths.map((path) => path.replace(/\[\d+\]$/, '')))).toEqual([
      [field],
      [field],
    ]);
  });

  it('takes each type of event, and its settings at their bounds or as null', () => {
    const most = { assistant_ids: ['a'], max_per_second: 500, description: 'x'.repeat(1_000) };
    const least = { assistant_ids: null, max_per_second: 1, description: '', events: [...WEBHOOK_EVENTS] };
    for (const settings of [most, least, { max_per_second: null }])
      expect(refusedAt(CreateEndpointRequest, { ...ENDPOINT, ...settings })).toEqual([]);
    expect(refusedAt(CreateEndpointRequest, {})).toEqual(['url', 'events']);
    expect(refusedAt(ChangeEndpointRequest, {})).toEqual([]);
    expect(refusedAt(ChangeEndpointRequest, { disabled: 'yes' })).toEqual(['disabled']);
  });
});

it('a former secret counts for whole hours, a week at most', () => {
  for (const overlap_hours of [-1, 169, 1.5, '1'])
    expect(refusedAt(RotateEndpointSecretRequest, { overlap_hours })).toEqual(['overlap_hours']);
  for (const overlap_hours of [0, 168])
    expect(refusedAt(RotateEndpointSecretRequest, { overlap_hours })).toEqual([]);
});

it('a replay begins at a time', () => {
  expect(refusedAt(ReplayRequest, {})).toEqual(['since']);
  expect(refusedAt(ReplayRequest, { since: 'yesterday' })).toEqual(['since']);
  expect(refusedAt(ReplayRequest, { since: '2026-11-21T10:00:00Z', until: 5 })).toEqual(['until']);
  expect(refusedAt(ReplayRequest, { since: '2026-11-21T10:00:00Z' })).toEqual([]);
});
