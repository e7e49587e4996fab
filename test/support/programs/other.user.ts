import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const isRoot = process.getuid?.() === 0;
export const NOBODY = { uid: 65534, gid: 65534 };

/** A user that cannot read and write everything, as root may: this user, or nobody. */
export const plainUser: Partial<typeof NOBODY> = isRoot ? NOBODY : {};

const reads = spawnSync(
  process.execPath,
  ['-e', 'require(process.argv[1])', join(process.cwd(), 'dist/libs/config/src/settings-config.js')],
  plainUser,
);

/**
 * For titles of {@link asPlainUser}: root's installation may be where other users cannot enter, such as below /root.
 */
export const PLAIN_USER_NEEDED = 'needs a user other than root who can read this installation';
export const asPlainUser = reads.status === 0 ? it : it.skip;
