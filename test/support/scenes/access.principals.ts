import type { AccountFixture } from '../database/fixture';
import type { AccessScene, Principal } from './access.matrix';

const unknown = async (principal: Promise<Principal>): Promise<Principal> => ({
  ...(await principal),
  type: 'nobody',
});

async function disabledAdmin(scene: AccessScene): Promise<Principal> {
  const person = await scene.person('a disabled admin', 'admin');
  const { status } = await scene.admin.admin('PATCH', `users/${person.session.userId}`, { disabled: true });
  if (status !== 200) throw new Error(`nobody was disabled: ${status}`);
  return person;
}

async function expiredAdmin(scene: AccessScene): Promise<Principal> {
  const person = await scene.person('an admin whose session expired', 'admin');
  await scene.database.pool.query(
    `UPDATE user_sessions SET last_seen_at = clock_timestamp() - interval '12 hours 1 second' WHERE user_id = $1`,
    [person.session.userId],
  );
  return person;
}

const past = (): { expiresAt: Date } => ({ expiresAt: new Date(Date.now() - 60_000) });

/** Everybody who may try: of the scene's account, and of another one. */
export async function principalsOf(scene: AccessScene, otherAccount: AccountFixture): Promise<Principal[]> {
  const one = { assistant_ids: [scene.account.assistantId] };
  const other = { account_id: otherAccount.id };
  const both = ['leads', 'messages'];
  // What hashes passwords goes side by side.
  return [
    { name: 'nobody', headers: {}, type: 'nobody', scopes: [], role: null, confirmed: false },
    ...(await Promise.all([
      scene.key('a key for leads', ['leads']),
      scene.key('a key for messages', ['messages']),
      scene.key('a key for both', both),
      scene.key('an admin key', ['admin']),
      unknown(scene.key('an expired key', both, past())),
      unknown(scene.key('an expired admin key', ['admin'], past())),
      scene.person('an operator of all agents', 'operator'),
      scene.person('an operator of one agent', 'operator', one),
      scene.person('an admin', 'admin'),
      scene.person('an admin who gave no password again', 'admin', {}, false),
      scene.person('an admin of another account', 'admin', other),
      scene.person('an operator of another account', 'operator', other),
      scene.key('a key of another account', both, {}, otherAccount),
      unknown(disabledAdmin(scene)),
      unknown(expiredAdmin(scene)),
    ])),
  ];
}
