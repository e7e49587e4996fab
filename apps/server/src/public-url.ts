import type { InvitationLinks } from '@app/domain/accounts/people/users.service';

/** The page of the service that opens invitations. */
export const invitationLinks = (publicUrl: string): InvitationLinks => ({
  linkOf: (token) => `${publicUrl}/invitation#${token}`,
});

/** The service's public address, for browsers. */
export abstract class PublicUrl {
  /** Without a trailing slash. */
  abstract readonly value: string;
}
