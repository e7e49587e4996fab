import type { Method } from '@app/client/api.calls';
import { createLeadlineClient, type LeadlineClient } from '@app/client/leadline.client';
import type { DemoFile } from '../../../apps/demo/src/demo.file';
import type { Caller, DoOperation } from './operation.walk';
import { signIn } from './session.client';

/** As the compiler cannot know it where the operation is any of them. */
type AnyCaller = Record<Method, (path: string, call: object) => Promise<unknown>> & {
  file(method: Method, path: string, call: object): Promise<unknown>;
};

/** Does operations by the client, for each that may call. */
export async function byClient(demo: DemoFile, key: string): Promise<DoOperation> {
  const { base_url: baseUrl, admin_key, admin_user } = demo;
  const session = await signIn(baseUrl, admin_user.email, admin_user.password);
  const Origin = baseUrl;
  const callers: Record<Caller, LeadlineClient> = {
    nobody: createLeadlineClient({ baseUrl, headers: { Origin } }),
    key: createLeadlineClient({ baseUrl, apiKey: key }),
    admin: createLeadlineClient({ baseUrl, apiKey: admin_key }),
    person: createLeadlineClient({
      ...{ baseUrl, headers: { Origin, Cookie: session.cookie }, csrf: () => session.csrfToken },
    }),
  };
  return (name, by, answers, given) => {
    const [method = '', path = ''] = name.split(' ');
    const client = callers[by] as unknown as AnyCaller;
    const verb = method.toLowerCase() as Method;
    return answers === 'file' ? client.file(verb, path, given) : client[verb](path, given);
  };
}
