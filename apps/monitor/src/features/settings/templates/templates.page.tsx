/** `/settings/templates` */
export function TemplatesPage() {
  return <p />;
}
