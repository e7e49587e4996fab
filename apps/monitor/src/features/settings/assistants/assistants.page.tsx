/** `/settings/assistants` */
export function AssistantsPage() {
  return <p />;
}
