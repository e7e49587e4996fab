import { type Media, type Transcript, isAudio } from '@app/contracts/media.words';
import type { MessageRole } from '@app/contracts/message.words';
import type { MediaRow } from '@app/persistence/media/media.entity';

/** @param role of its message; null: it was uploaded */
export function presentMedia(row: MediaRow | null, role: MessageRole | null): Media | null {
  if (!row) return null;
  const { transcript_state: _state, transcript_text: _text, transcript_language: _language, ...shown } = row;
  const transcript = role === 'USER' ? transcriptIn(row) : null;
  return { ...shown, transcript, url: `/api/v1/messages/media/${row.id}` };
}

/** Of audio that does not come there will be none, and none is made of what is no audio after all. */
function transcriptIn(row: MediaRow): Transcript | null {
  if (!isAudio(row.kind)) return null;
  const { transcript_state: kept, transcript_text: text, transcript_language: language } = row;
  const state = row.state === 'failed' && kept === 'pending' ? 'failed' : (kept ?? 'none');
  return { state, text, language };
}
