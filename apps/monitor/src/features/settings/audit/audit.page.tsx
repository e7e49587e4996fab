/** `/settings/audit` */
export function AuditPage() {
  return <p />;
}
