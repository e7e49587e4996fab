import { ReplyWatch } from '@app/domain/agent/reply-watch';
import { override } from './fault.injection';

/**
 * The watch sees no reply, as between two of its looks. So the gate alone decides whether a part is sent. Leases are not
 * renewed either.
 */
export const inject = (): void => override(ReplyWatch.prototype, 'watch', () => () => undefined);
