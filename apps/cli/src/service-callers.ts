import { createApi, type Api } from '@app/client/api-client';
import type { CliEnvironment } from './cli-environment';

/** Of another address it would be told the key, which is meant for the service alone. */
const withoutRedirects = (request: Request): Promise<Response> => fetch(request, { redirect: 'manual' });

/** The service, called in the name of whom the environment has. */
export class ServiceCallers {
  constructor(private readonly environment: CliEnvironment) {}

  /** @throws UsageError: there is no key */
  byKey(): Api {
    return this.api({ 'X-API-Key': this.environment.apiKey() });
  }

  /** @throws UsageError: there is no key */
  byAdminKey(): Api {
    return this.api({ 'X-API-Key': this.environment.adminKey() });
  }

  /** With an origin, as a page has it: signing in demands one. */
  byNobody(): Api {
    return this.api({ Origin: this.origin });
  }

  /**
   * Signs a person in, and out again afterwards.
   * @throws UsageError: nobody is named
   */
  async bySession<T>(act: (api: Api) => Promise<T>): Promise<T> {
    const body = this.environment.person();
    const Origin = this.origin;
    let cookie = '';
    const keepCookie = async (request: Request): Promise<Response> => {
      const response = await withoutRedirects(request);
      cookie = response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      return response;
    };
    const door = this.api({ Origin }, keepCookie);
    const { csrf_token } = await door.post('/api/v1/auth/sign-in', { body });
    const api = this.api({ Origin, Cookie: cookie }, withoutRedirects, csrf_token);
    try {
      return await act(api);
    } finally {
      // It may have been ended by what was asked for.
      await api.post('/api/v1/auth/sign-out').catch(() => undefined);
    }
  }

  private get origin(): string {
    return new URL(this.environment.url).origin;
  }

  private api(headers: Record<string, string>, fetch = withoutRedirects, csrf: string | null = null): Api {
    return createApi({ baseUrl: this.environment.url, csrf: () => csrf, headers, fetch });
  }
}
