const { ReplyWatch } = require('../../../dist/libs/domain/src/agent/reply.watch');
const { expectMembers } = require('./plant.guard');

expectMembers(ReplyWatch.prototype, 'function', 'watch', 'forget');

/**
 * Loaded into a server before all else: its watch sees no reply, as between two of its looks. So the gate alone decides
 * whether a part is sent. Leases are not renewed either.
 */
ReplyWatch.prototype.watch = () => undefined;
