/** `/send` */
export function SendPage() {
  return <p>Send</p>;
}
