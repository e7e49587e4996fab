/** `/settings/users` */
export function UsersPage() {
  return <p />;
}
