import type { SpanStart } from '@app/contracts/trace-recorder';
import type { WorkName } from './worker';

/** An item of due work in a trace. @param accountId null: of no account, or of all */
export const spanOfWork = (name: WorkName, accountId: string | null): SpanStart => ({
  ...{ name: `process ${name}`, kind: 'consumer' },
  facts: { 'leadline.work': name, 'leadline.account_id': accountId ?? undefined },
});
