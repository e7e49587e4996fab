import { ApiClient } from '../clients/api.client';
import { callAuth, sessionOf, tokenOf, type SessionClient } from '../clients/session.client';
import { addAdminKey } from '../database/fixture';
import { LeadScene, type SceneOptions } from './lead.scene';

export const PASSWORD = 'seven quiet rivers';

export interface Invited {
  id: string;
  email: string;
  token: string;
}

let people = 0;

/** Invites a person to an account. @param admin the installation's */
export async function invite(
  admin: ApiClient,
  accountId: string,
  fields: Record<string, unknown> = {},
): Promise<Invited> {
  const email = `person-${(people += 1)}@example.com`;
  const { body, text } = await admin.call('admin/users', {
    ...{ account_id: accountId, email, name: 'Aigerim', role: 'operator' },
    ...fields,
  });
  if (!body.ok) throw new Error(text);
  return { id: body.data.id, email: body.data.email, token: tokenOf(body.data.invitation.url) };
}

/** The session of a person who accepts the invitation. */
export const joinBy = async (url: string, { token }: Invited): Promise<SessionClient> =>
  sessionOf(url, await callAuth(url, 'accept-invitation', { token, password: PASSWORD }));

/** Server processes, an account with a funnel, an admin key, and people who come by invitation. */
export class PeopleScene extends LeadScene {
  adminKey: string;

  override async start(): Promise<void> {
    await super.start();
    this.adminKey = await addAdminKey(this.database.pool, { limitGeneral: 100_000, limitLeads: 100_000 });
  }

  /** The installation's admin, at the first process. */
  get admin(): ApiClient {
    return new ApiClient(this.server.url, this.adminKey);
  }

  async invite(fields: Record<string, unknown> = {}): Promise<Invited> {
    return invite(this.admin, this.account.id, fields);
  }

  get urls(): string[] {
    return this.servers.map(({ url }) => url);
  }

  /** A person who has accepted the invitation and is signed in. */
  async join(fields?: Record<string, unknown>): Promise<SessionClient & { email: string }> {
    const invited = await this.invite(fields);
    return Object.assign(await joinBy(this.server.url, invited), { email: invited.email });
  }
}

/** Sets the scene for a test file. */
export function setPeopleScene(options?: SceneOptions): PeopleScene {
  const scene = new PeopleScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
