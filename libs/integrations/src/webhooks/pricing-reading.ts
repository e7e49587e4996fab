import type { Pricing } from '@app/contracts/message.words';
import type { Fields } from './item-fields';

/** What a report names of the price, or nothing. Providers call the model differently. */
export function pricingIn(
  fields: Fields | null,
  model: 'pricing_model' | 'policy' | 'model',
): { pricing?: Partial<Pricing> } {
  const billable = fields?.value('billable');
  const named = {
    // Text in some of Gupshup's samples.
    billable: { true: true, false: false }[String(billable)] ?? null,
    category: fields?.word('category') ?? null,
    type: fields?.word('type') ?? null,
    model: fields?.word(model) ?? null,
  };
  const pricing = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
  return Object.keys(pricing).length === 0 ? {} : { pricing };
}
