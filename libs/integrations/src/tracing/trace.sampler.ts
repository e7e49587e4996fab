import type { TracingSettings } from '@app/config/settings.config';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** The sampler by its standard name. What follows from a call is recorded where the call is, by the `parentbased` ones. */
export function samplerOf({ name, ratio }: TracingSettings['sampler']): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[name.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
