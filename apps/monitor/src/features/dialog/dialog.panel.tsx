interface Props {
  threadId: string;
  onClose: () => void;
}

/** `/dialogs/<thread>`: what was said and what happened in one dialog, and what can be done there. */
export function DialogPanel({ threadId }: Props) {
  return <p>{threadId}</p>;
}
